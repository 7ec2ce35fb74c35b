"""What is raised, and what is warned of."""


class SteplensError(Exception):
    """What is wrong, what to do, and where; for people. Code reads `code`.

    `code` is stable, and listed in docs/problems.md: such as `no-ops`, `other-format`, `bad-option`, `file-not-read`.
    """

    code: str
    """Stable, such as `no-ops`."""
    message: str
    """One or two sentences for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message

    def __str__(self) -> str:
        return f"{self.message} [{self.code}]"


class SteplensWarning(UserWarning):
    """Something is not as it was asked for: a file of several could not be used, or a format could not hold everything."""
