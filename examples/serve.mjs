/**
 * Serves a folder of static files, to try an example: `node examples/serve.mjs [FOLDER] [PORT]`. The default port is the
 * variable `PORT`. Any other web server works too.
 */
import { realpathSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import send from 'send';

const HERE = fileURLToPath(new URL('reader', import.meta.url));
const [named = HERE, portText = process.env.PORT || '8788'] = process.argv.slice(2);

if (!/^\d{1,5}$/.test(portText) || Number(portText) > 65_535)
  fail(2, `"${portText}" is not a port. Give a number from 0 to 65535.`);
if (!statSync(named, { throwIfNoEntry: false })?.isDirectory())
  fail(1, `There is no folder at ${named}. Give the folder to serve, such as examples/reader.`);
const folder = realpathSync(named);

const server = createServer((request, response) => {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { Allow: 'GET, HEAD' }).end();
    return;
  }
  const path = pathOf(request.url ?? '/');
  if (path === null || leadsOutside(path)) {
    response.writeHead(404, { 'Content-Type': 'text/plain' }).end('There is no such file.\n');
    return;
  }
  // These two only work as headers, not in the page.
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Content-Security-Policy', "frame-ancestors 'none'");
  // Browsers revalidate each time, so that scripts and styles are always of the same version.
  response.setHeader('Cache-Control', 'no-cache');
  send(request, path, { root: folder, index: false, cacheControl: false }).pipe(response);
});

server.on('error', (error) => {
  const isTaken = 'code' in error && error.code === 'EADDRINUSE';
  fail(
    1,
    isTaken
      ? `Port ${portText} is already in use. Choose another: PORT=9000 npm run reader`
      : `The reader cannot be served on port ${portText}: ${error.message}`,
  );
});
server.listen(Number(portText), '127.0.0.1', () => {
  const address = server.address();
  if (address && typeof address === 'object')
    console.log(`serving ${named} on http://127.0.0.1:${address.port}`);
});

/**
 * The requested path, still percent-encoded; a folder means its index.html. Null: unreadable.
 *
 * @param {string} target a path, or a whole URL (RFC 9112, 3.2)
 */
function pathOf(target) {
  const url = target.startsWith('/') ? `http://localhost${target}` : target;
  if (!URL.canParse(url)) return null;
  const { pathname } = new URL(url);
  return pathname.endsWith('/') ? `${pathname}index.html` : pathname;
}

/**
 * Whether a path leaves the folder, directly or by a symbolic link. `send` refuses the former but follows links.
 *
 * @param {string} path
 */
function leadsOutside(path) {
  try {
    return !realpathSync(join(folder, decodeURIComponent(path))).startsWith(folder + sep);
  } catch {
    return false; // Nothing that can be opened: `send` answers with the right error.
  }
}

/**
 * @param {number} code the exit code
 * @param {string} message
 */
function fail(code, message) {
  console.error(message);
  process.exit(code);
}
