"""What is wrong with policies whose every part is right: how conditions use labels and time, cost, width, characters."""
