"""What can go wrong with a folder, as sentences for people."""

import errno


class FolderError(Exception):
    """A folder or a name that cannot be used. `code` is stable, the sentence is not."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


# Where a system has no name for quotas, the entry of the full disk stands: it is written last.
_SENTENCES = {
    getattr(errno, "EDQUOT", errno.ENOSPC): "The quota of the disk is used up.",
    errno.ENOSPC: "The disk is full.",
    errno.EROFS: "The disk is read-only.",
    errno.EACCES: "The folder may not be written.",
    errno.EPERM: "The folder may not be written.",
}


def reason(error: BaseException) -> str:
    """The sentence that an answer gives for `error`."""
    if isinstance(error, OSError) and error.errno in _SENTENCES:
        return _SENTENCES[error.errno]
    return f"{type(error).__name__}: {error}"
