"""Static files in production: names contain a hash, also in the imports of JavaScript modules."""

from __future__ import annotations

from servestatic.storage import CompressedManifestStaticFilesStorage


class HashedFiles(CompressedManifestStaticFilesStorage):
    support_js_module_import_aggregation = True
