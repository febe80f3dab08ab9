import { expect, test } from 'vitest';
import { RpcError } from './peer.ts';
import { troubleOf } from './trouble.ts';

test.for([
  "You didn't provide an API key. You need to provide your API key in an Authorization header.",
  'x-api-key header is required',
  "OpenAI API key is missing. Pass it using the 'apiKey' parameter or the OPENAI_API_KEY environment variable.",
  'No auth credentials found',
  'No cookie auth credentials found',
  "Method doesn't allow unregistered callers (callers without established identity).",
  'Incorrect API key provided',
  'invalid x-api-key',
])('an agent that only relays "%s" is not signed in', (words) => {
  const error = new RpcError(-32603, `Internal error: ${words}`, { service: 'session' });
  expect(troubleOf(error, 0)).toMatchObject({
    end: 'sign_in',
    events: [{}, { type: 'sign-in', reason: expect.stringContaining(words) }],
  });
});

test.for([
  'the parser for API keys is missing a test',
  'no such file: credentials.json',
  'a header is required',
])('control: "%s" is an ordinary failure', (words) => {
  expect(troubleOf(new RpcError(-32603, words, null), 0)).toMatchObject({ end: 'failed' });
});
