"""Static files in production: their names carry a hash, also where one JavaScript module imports another."""

from __future__ import annotations

from servestatic.storage import CompressedManifestStaticFilesStorage


class HashedFiles(CompressedManifestStaticFilesStorage):
    support_js_module_import_aggregation = True
