"""What every command needs: errors with their exit codes, files, addresses, diffs, words."""

from __future__ import annotations
