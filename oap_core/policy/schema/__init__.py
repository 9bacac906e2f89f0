"""JSON Schema of files, in the draft that editors check: what may stand where, with the effects of enabled plugins.

A schema is never stricter than the loader, so an editor marks nothing that loads. It knows less than the loader: it
sees neither conditions nor tools, and no file but the one that is open.
"""

from oap_core.policy.schema.draft import DIALECT, model_schema
from oap_core.policy.schema.files import FilesSchema, files_schema, kind_schema

__all__ = ["DIALECT", "FilesSchema", "files_schema", "kind_schema", "model_schema"]
