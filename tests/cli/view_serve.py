"""python3 view_serve.py URL PID [PAGE]: what `jweave view --serve` (process PID), which said URL, answers to friend and foe.
With PAGE, of the same run by `jweave view`, where each call is there by itself: tracks are compared with it. Prints what is
wrong, a line each, and at the end how many were tried."""
import re
import socket
import sys
import time
import urllib.parse
import zlib
import base64

url, pid = sys.argv[1], sys.argv[2]
at = urllib.parse.urlsplit(url)
port, token = at.port, at.path.strip('/')
tried = 0


def must(ok, what):
    global tried
    tried += 1
    if not ok:
        print(f'wrong: {what}')


def connect():
    return socket.create_connection(('127.0.0.1', port), timeout=20)


def receive(s):
    """Status, headers and body of an answer; status 0: the connection was closed."""
    data = b''
    while b'\r\n\r\n' not in data:
        piece = s.recv(65536)
        if not piece:
            return 0, {}, b''
        data += piece
    head, body = data.split(b'\r\n\r\n', 1)
    lines = head.decode('latin1').split('\r\n')
    headers = {k.lower(): v.strip() for k, v in (line.split(':', 1) for line in lines[1:])}
    while len(body) < int(headers.get('content-length', 0)):
        piece = s.recv(1 << 20)
        if not piece:
            break
        body += piece
    return int(lines[0].split()[1]), headers, body


def raw(text):
    s = connect()
    try:
        s.sendall(text)
        return receive(s)
    except (ConnectionResetError, BrokenPipeError):
        return 0, {}, b''
    finally:
        s.close()


def get(name='', method='GET', host=f'127.0.0.1:{port}', path=None, body=b'', **headers):
    path = f'/{token}/{name}' if path is None else path
    lines = [f'{method} {path} HTTP/1.1', *([f'Host: {host}'] if host is not None else []),
             *(f'{k.replace("_", "-")}: {v}' for k, v in headers.items()), '', '']
    return raw('\r\n'.join(lines).encode('latin1') + body)


class Numbers:
    def __init__(self, data):
        self.data, self.at = data, 0

    def __call__(self):
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def track(self):
        n = self()
        columns = [[self() for _ in range(n)] for _ in range(3)]
        sums = sum(what & 1 for what in columns[2])
        return columns + [[self() for _ in range(sums)] for _ in range(2)]


def friend():
    status, headers, page = get()
    must(status == 200 and page.startswith(b'<!doctype html>') and page.rstrip().endswith(b'</html>'), 'the page')
    for name, value in {'content-type': 'text/html; charset=utf-8', 'x-content-type-options': 'nosniff', 'cache-control': 'no-store',
                        'referrer-policy': 'no-referrer', 'x-frame-options': 'DENY'}.items():
        must(headers.get(name) == value, f'{name}: {headers.get(name)}')
    must("frame-ancestors 'none'" in headers.get('content-security-policy', ''), 'policy of the page, by HTTP')
    must(re.search(rb"content=\"default-src 'none'; connect-src 'self'; script-src 'nonce-", page), 'policy of the page')
    must(get('here')[0] == 200, 'here')
    must(get(host=f'localhost:{port}')[0] == 200, 'localhost')
    must(get('tracks?rows=0&from=0&to=1')[0] == 200, 'tracks')
    must(get('arrows?from=0&to=1', Origin=f'http://127.0.0.1:{port}', Sec_Fetch_Site='same-origin')[0] == 200, 'arrows')


def sections(path):
    found = {}
    for name, text in re.findall(rb'<script type="application/x-jweave" data-section="([^"]*)">([^<]*)</script>', open(path, 'rb').read()):
        found[name.decode()] = found.get(name.decode(), b'') + zlib.decompress(base64.b64decode(text))
    return found


def compare(page):
    have = sections(page)
    c = Numbers(have['index'])
    _, end, least, _, _, rows = (c() for _ in range(6))
    must(least == 0, 'the page has each call')
    seen = [[c() for _ in range(6)] for _ in range(rows)]
    answer = Numbers(get(f"tracks?rows={','.join(map(str, range(rows)))}&from=0&to={end}")[2])
    must((answer(), answer()) == (0, rows), 'as fine as it was, all rows')
    for i, (_, _, section, begin, lines, _) in enumerate(seen):
        c = Numbers(have[f'rows.{section}'])
        c.at = begin
        must((answer(), answer()) == (i, lines), f'row {i}')
        for line in range(lines):
            must(answer.track() == c.track(), f'row {i}, line {line}')
    must(answer.at == len(answer.data), 'nothing else')
    must(get(f'arrows?from=0&to={end}')[2] == have['arrows'], 'arrows')


def foe():
    for bad in ['0' * 32, token[:-1], token + '0', token.upper() if token.upper() != token else 'x', '']:
        must(get(path=f'/{bad}/')[0] == 404, f'token {bad}')
    for host in ['evil.com', f'evil.com:{port}', '127.0.0.1', f'127.0.0.1:{port + 1}', f'127.0.0.1:{port}.evil.com', '']:
        must(get(host=host)[0] in (400, 403), f'Host {host}')
    must(get(host=None)[0] in (400, 403), 'no Host')
    for second in ['evil.com', f'127.0.0.1:{port}']:
        for name in ['Host', 'HOST']:
            must(get(**{name: second})[0] in (400, 403), f'two Hosts, {name}: {second}')
    must(raw(f'GET /{token}/ HTTP/1.0\r\n\r\n'.encode())[0] in (0, 400, 403), 'HTTP/1.0 without Host')
    for origin in ['http://evil.com', 'null', f'https://127.0.0.1:{port}', f'http://localhost:{port}']:
        must(get(Origin=origin)[0] == 403, f'Origin {origin}')
        for first, second in [('Origin', 'ORIGIN'), ('ORIGIN', 'Origin')]:
            must(get(**{first: f'http://127.0.0.1:{port}', second: origin})[0] == 403, f'two Origins, {second}: {origin}')
    must(get('here', Sec_Fetch_Site='none', SEC_FETCH_SITE='cross-site')[0] == 403, 'two Sec-Fetch-Sites')
    must(get('here', Sec_Fetch_Site='cross-site')[0] == 403, 'another site')
    for method in ['POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'CONNECT', 'X']:
        status, _, body = get(method=method)
        must(status in (0, 400, 405) and b'<html' not in body, method)
    must(get(body=b'x' * 10, Content_Length=10)[0] in (0, 413), 'a body')
    must(get(body=b'5\r\nhello\r\n0\r\n\r\n', Transfer_Encoding='chunked')[0] in (0, 413), 'a body in pieces')
    must(get(method='POST', Content_Length=1 << 40)[0] in (0, 405, 413), 'a body of a terabyte')
    secret = open('/etc/passwd', 'rb').read(20)
    for path in ['/', '//', '/etc/passwd', f'/{token}', f'/{token}//etc/passwd', f'/{token}/../../../../etc/passwd', f'/{token}/%2e%2e/%2e%2e/etc/passwd',
                 f'/{token}/..%2f..%2fetc%2fpasswd', f'/{token}/%00', f'/{token}/here%00x', f'http://evil.com/{token}/', '*', f'/{token}/tracks/..', 'x']:
        status, _, body = get(path=path)
        must(status in (0, 400, 403, 404) and secret not in body, f'path {path}: {status}')
    for name in ['tracks', 'tracks?rows=0', 'tracks?rows=&from=0&to=1', 'tracks?rows=0,&from=0&to=1', 'tracks?rows=-1&from=0&to=1', 'tracks?rows=99999&from=0&to=1',
                 f"tracks?rows={','.join(['0'] * 257)}&from=0&to=1", 'tracks?rows=0&from=2&to=1', 'tracks?rows=0&from=0&to=99999999999999999999', 'arrows',
                 'arrows?from=x&to=1', 'arrows?from=0&to=1e9', 'arrows?from=0%00&to=%00']:
        must(get(name)[0] in (0, 400), name)
    must(get('x' * 20000)[0] in (0, 413, 414, 431), 'an address of 20,000 bytes')
    must(get(X='y' * 20000)[0] in (0, 413, 431), 'a header of 20,000 bytes')
    must(get(**{f'X{i}': 'y' for i in range(5000)})[0] in (0, 413, 431), '5,000 headers')
    for text in [b'\r\n' * 1000, b'\0' * 100, b'GET', b'GET / HTTP/9.9\r\n\r\n', b'\x16\x03\x01\x02\x00\x01\x00', b'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', bytes(range(256)) * 40]:
        s = connect()
        try:
            s.sendall(text)
            s.shutdown(socket.SHUT_WR)
            must(receive(s)[0] in (0, 400, 403, 404, 405, 413, 414, 431, 501, 505), f'{text[:20]}')
        except OSError:  # it is closed already
            must(True, '')
        s.close()


def many():
    """200 connections that say nothing, or half of something: others wait until those are closed."""
    slow = []
    for i in range(200):
        s = connect()
        s.sendall([b'', b'GET /', b'GET / HTTP/1.1\r\nHost: '][i % 3])
        slow.append(s)
    time.sleep(0.5)
    began = time.monotonic()
    must(get('here')[0] == 200, 'after 200 slow connections')
    must(time.monotonic() - began < 40, 'slow connections are closed in time')
    for s in slow:
        s.close()
    began = time.monotonic()
    for _ in range(50):
        must(get('here')[0] == 200, 'again')
    must(time.monotonic() - began < 10, 'and quickly')


def bounded():
    with open(f'/proc/{pid}/status') as f:
        peak = int(re.search(r'VmHWM:\s+(\d+)', f.read()).group(1))
    must(peak < 200000, f'memory: {peak} KB')
    with open('/proc/net/tcp') as f:
        listen = [line.split()[1] for line in f if line.split()[3] == '0A' and line.split()[1].endswith(f':{port:04X}')]
    must(listen == [f'0100007F:{port:04X}'], f'listens at {listen}')


friend()
if len(sys.argv) > 3:
    compare(sys.argv[3])
foe()
many()
bounded()
friend()
print('enough was tried' if tried > 100 else f'only {tried}')
