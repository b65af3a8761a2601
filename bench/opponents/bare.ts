/**
 * The baseline: `node:http` that sends constant bytes. `bare.ts REPLIES` prints its address. For each URL, the file
 * has the status, headers and body of a reply of Offprint.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isNumber, isText, listOf, parseJson, recordOf } from '../../contract/json.ts';
import type { ConstantReply } from './nginx.ts';

const isReply = recordOf<ConstantReply>({
  target: isText,
  status: isNumber,
  headers: listOf(isText),
  body: isText,
});
const list = parseJson(readFileSync(process.argv[2] ?? '', 'utf8'), listOf(isReply), 'a list of replies');
const replies = new Map(
  list.map(({ target, status, headers, body }) => [
    target,
    { status, headers: [...headers], body: Buffer.from(body) },
  ]),
);
const server = createServer((request, response) => {
  const reply = replies.get(request.url ?? '');
  if (!reply) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(reply.status, reply.headers);
  response.end(reply.body);
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  console.log(`http://127.0.0.1:${port}`);
});
