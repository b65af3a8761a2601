/**
 * Serves a folder of static files, to try an example: `node examples/serve.mjs [FOLDER] [PORT]`. Any other web
 * server does as well.
 */
import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const TYPES = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
]);

const [folder = fileURLToPath(new URL('reader', import.meta.url)), port = '8788'] = process.argv.slice(2);

const server = createServer((request, response) => {
  const pathname = (request.url ?? '/').replace(/[?#].*/, '');
  const path = join(folder, normalize(pathname.endsWith('/') ? `${pathname}index.html` : pathname));
  const type = TYPES.get(extname(path));
  const file = type === undefined ? undefined : statSync(path, { throwIfNoEntry: false });
  if (!file?.isFile()) {
    response.writeHead(404, { 'Content-Type': 'text/plain' }).end('There is no such file.\n');
    return;
  }
  // Scripts and styles of two versions must not meet: the browser asks each time.
  const headers = { 'Content-Type': type, 'Content-Length': file.size, 'Cache-Control': 'no-cache' };
  response.writeHead(200, { ...headers, 'X-Content-Type-Options': 'nosniff' });
  createReadStream(path).pipe(response);
});

server.listen(Number(port), '127.0.0.1', () => {
  const address = server.address();
  if (address && typeof address === 'object')
    console.log(`serving ${folder} on http://127.0.0.1:${address.port}`);
});
