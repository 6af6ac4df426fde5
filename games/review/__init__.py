"""Review: a finished match step by step, with analysis, branches, uploads and shared reviews."""
