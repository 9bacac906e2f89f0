"""Pages about policies for those who read no YAML: one a policy, and one that leads to them."""

from oap_core.policy.pages.page import MARK, Page, pages

__all__ = ["MARK", "Page", "pages"]
