"""Git repositories: files at a revision, history, the state of a checkout, commits.

User checkouts are never switched, cleaned or written, except by :func:`commit_paths` and, their
index alone, :func:`mark_unmerged`.
"""

from omni_port.revisions.checkout import Checkout, checkout_of, git_folder
from omni_port.revisions.committing import NothingToCommit, commit_paths
from omni_port.revisions.conflict_stages import Stages, mark_unmerged
from omni_port.revisions.history import Commit, Version, history, read_versions, search
from omni_port.revisions.opening import session
from omni_port.revisions.tree import Blob, Tree, open_tree

__all__ = [
    "Blob",
    "Checkout",
    "Commit",
    "NothingToCommit",
    "Stages",
    "Tree",
    "Version",
    "checkout_of",
    "commit_paths",
    "git_folder",
    "history",
    "mark_unmerged",
    "open_tree",
    "read_versions",
    "search",
    "session",
]
