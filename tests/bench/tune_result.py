"""The result of a tune in what `rooftune tune --json` printed."""


def result_of(document):
    """The first part that has a certificate and a best variant; None where there is none."""
    if isinstance(document, dict):
        if "certificate" in document and "best" in document:
            return document
        document = list(document.values())
    if isinstance(document, list):
        for part in document:
            found = result_of(part)
            if found:
                return found
    return None
