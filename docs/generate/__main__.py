"""Write the generated pages and say which of them changed."""

from __future__ import annotations

from docs.generate import PAGES, render, write

changed = write(render())
for name in changed:
    print(f"wrote docs/{name}")
print(f"{len(PAGES)} generated pages, {len(changed)} changed")
