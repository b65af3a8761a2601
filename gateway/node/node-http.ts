/**
 * What a server needs of `node:http`. An import of the module reads every export, of which `WebSocket` loads Node's whole
 * `fetch`: a quarter of the time from the start of `serve` to its first response.
 */
export const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http');
