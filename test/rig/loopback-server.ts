import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface LoopbackServer extends AsyncDisposable {
  /** Without a slash at its end. */
  readonly origin: string;
}

/** A server on an address of the loopback; whoever still talks to it when it is closed is cut off. */
export async function loopbackServer(
  answer: (request: IncomingMessage, response: ServerResponse, body: string) => void,
  host = '127.0.0.1',
): Promise<LoopbackServer> {
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      answer(request, response, body);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://${host}:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}
