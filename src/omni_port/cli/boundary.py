"""Where every error of a command becomes a message and an exit code."""

from __future__ import annotations

import errno
import os
import sys
import traceback
from collections.abc import Sequence

import click

from omni_codemods.findings.errors import OmniCodemodsError
from omni_port.base.errors import ExitCode, InputError, OmniPortError, from_library
from omni_port.cli.streams import make_streams, say, silence


def run(arguments: Sequence[str]) -> int:
    """Run the command line on *arguments* and return the exit code; raises nothing."""
    make_streams()
    try:
        code = _invoke(list(arguments))
        # Here, so that a reader that went away is noticed inside the boundary.
        sys.stdout.flush()
    except (KeyboardInterrupt, click.Abort):
        say("omni-port: interrupted")
        return ExitCode.INTERRUPTED
    except BrokenPipeError:
        silence(sys.stdout)
        return ExitCode.INTERRUPTED
    except click.ClickException as error:
        try:
            error.show()
        except OSError:
            silence(sys.stderr)
        return ExitCode.USAGE
    except OSError as error:
        # Every file that is read or written is named in an error of ours; a stream has no name.
        if error.filename is not None or error.errno not in _UNWRITABLE:
            return _show_bug()
        silence(sys.stdout)
        message = f"the output cannot be written: {error.strerror}"
        return show_error(InputError(message, hint="make room, or write it elsewhere"))
    except RecursionError:
        # Where the file is known, it is named; here is what is left.
        message = "some code or data that was read is nested too deeply to work on"
        return show_error(InputError(message, hint="-v says how far it came; leave that file out"))
    except Exception:
        return _show_bug()
    return int(code or ExitCode.DONE)


def _invoke(arguments: list[str]) -> int | None:
    from omni_port.cli.main import cli

    if "_OMNI_PORT_COMPLETE" in os.environ:
        cli.main(arguments, prog_name="omni-port")
    # Not cli.main(): it would turn a reader that went away into exit code 1.
    try:
        with cli.make_context("omni-port", arguments) as ctx:
            return _invoke_command(cli, ctx)
    except click.exceptions.Exit as error:
        return error.exit_code


def _invoke_command(command: click.Command, ctx: click.Context) -> int | None:
    # While the context is there, it says whether to colour.
    try:
        code: int | None = command.invoke(ctx)
    except (OmniPortError, OmniCodemodsError) as error:
        return show_error(error)
    return code


def show_error(error: OmniPortError | OmniCodemodsError) -> ExitCode:
    """Print *error* on stderr, with what to do, and return its exit code."""
    if isinstance(error, OmniCodemodsError):
        error = from_library(error)
    say(render_error(error))
    if error.exit_code == ExitCode.BUG:
        say(_BUG)
    return error.exit_code


def render_error(error: OmniPortError) -> str:
    """Return *error* as one line, and its hint as a second."""
    place = f"{error.place}: " if error.place else ""
    hint = f"\n  hint: {error.hint}" if error.hint else ""
    return f"{place}{click.style('error', fg='red', bold=True)}: {error.message}{hint}"


_UNWRITABLE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF)
_BUG = "This is a bug in omni-port, not in your code. Please report it with what stands above."


def _show_bug() -> ExitCode:
    say(traceback.format_exc())
    say(_BUG)
    return ExitCode.BUG
