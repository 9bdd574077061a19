#!/usr/bin/python3
"""terminal.py SECONDS [WANT KEYS]... -- COMMAND: runs COMMAND on a terminal of 24 by 80. Each time the
text WANT has appeared after what was sent last, sends KEYS (\\t and \\n are the keys); empty KEYS
end COMMAND. Prints all that the terminal got. Exit status: that of COMMAND, 0 when KEYS ended it, 124
when SECONDS did."""
import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time

words = sys.argv[2:]
script = [w.encode().decode("unicode_escape").encode() for w in words[: words.index("--")]]
command = words[words.index("--") + 1 :]
end = time.monotonic() + float(sys.argv[1])
pid, fd = pty.fork()
if pid == 0:
    time.sleep(0.1)  # the size is set meanwhile
    os.execvp(command[0], command)
fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
got = b""
seen = 0
status = None
while status is None:
    left = end - time.monotonic()
    if left <= 0:
        status = 124
        break
    if select.select([fd], [], [], left)[0]:
        try:
            data = os.read(fd, 65536)
        except OSError:
            break
        if not data:
            break
        got += data
    if script and script[0] in got[seen:]:
        seen = len(got)
        if script[1]:
            os.write(fd, script[1])
        else:
            status = 0
        del script[:2]
if status is not None:
    os.kill(pid, signal.SIGKILL)
_, ended = os.waitpid(pid, 0)
sys.stdout.buffer.write(got)
sys.exit(status if status is not None else os.waitstatus_to_exitcode(ended) & 255)
