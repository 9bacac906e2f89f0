"""Write the generated pages and say which of them changed."""

from __future__ import annotations

from docs.generate import PAGES, ROOT, render, write

changed = write(render())
for name in changed:
    print(f"wrote {(ROOT / name).resolve().relative_to(ROOT.parent)}")
print(f"{len(PAGES)} generated pages, {len(changed)} changed")
