import { ended, failed, objectsOf, type Subject } from './subject.ts';

/** Lines as the CLI wrote them (2.1.325), shortened. */
const session = '80f5a2b6-36ab-4d3c-8e2f-0a1b2c3d4e5f';
const init = `{"type":"system","subtype":"init","cwd":"/w","session_id":"${session}","tools":["Write","Bash"],"model":"claude-opus-5-5","permissionMode":"dontAsk"}`;
const write =
  '{"type":"assistant","message":{"id":"msg_1","model":"claude-opus-5-5","content":[{"type":"tool_use","id":"toolu_1_0","name":"Write","input":{"file_path":"/w/a.txt","content":"A"}}]},"parent_tool_use_id":null}';
const written =
  '{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1_0","content":"File created successfully at: /w/a.txt"}]},"parent_tool_use_id":null}';
const said =
  '{"type":"assistant","message":{"id":"msg_2","model":"claude-opus-5-5","content":[{"type":"text","text":"finished"}]},"parent_tool_use_id":null}';
const own =
  '{"type":"assistant","message":{"model":"<synthetic>","content":[{"type":"text","text":"API Error: Request rejected (429)"}]},"parent_tool_use_id":null}';
const retry =
  '{"type":"system","subtype":"api_retry","attempt":1,"max_retries":10,"retry_delay_ms":500,"error_status":529,"error":"overloaded"}';
const rejected =
  '{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":1763200000},"uuid":"x"}';
const result = (members: string): string =>
  `{"duration_ms":1152,${members},"session_id":"${session}","total_cost_usd":0.0015,"usage":{"input_tokens":200,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":40},"permission_denials":[],"result_index":0,"type":"result"}`;
const succeeded = result('"subtype":"success","is_error":false,"api_error_status":null,"result":"finished"');
const errored = result(
  '"subtype":"success","is_error":true,"api_error_status":500,"result":"API Error: 500"',
);
const limited = result(
  '"subtype":"success","is_error":true,"api_error_status":429,"result":"API Error: Request rejected (429)"',
);

export const claude: Subject = {
  name: 'claude',
  config: { type: 'claude', program: 'claude', allowedTools: ['Write'], models: {} },
  good: [init, retry, write, written, said, succeeded],
  usage: { inputTokens: 200, outputTokens: 40, costUsd: 0.0015 },
  cases: [
    { what: 'no result, as after an interrupt', lines: [init, said], end: ended, stop: 'failed' },
    { what: 'an error that it calls a success', lines: [init, errored], end: ended, stop: 'failed' },
    { what: 'an error after a success', lines: [init, succeeded, errored], end: ended, stop: 'failed' },
    { what: 'a success after an error', lines: [init, errored, succeeded], end: ended, stop: 'finished' },
    {
      what: 'too many turns',
      lines: [init, result('"subtype":"error_max_turns","is_error":true,"errors":["too many"]')],
      end: failed,
      stop: 'failed',
    },
    {
      what: 'another subtype that is no error',
      lines: [init, result('"subtype":"error_during_execution","is_error":false')],
      end: ended,
      stop: 'failed',
    },
    {
      what: 'a prompt that a hook refused',
      lines: [
        init,
        result(
          '"subtype":"success","is_error":false,"result":"UserPromptSubmit operation blocked by hook: no"',
        ),
      ],
      end: ended,
      stop: 'failed',
    },
    { what: 'a wrong flag', lines: ["error: unknown option '--nope'"], end: failed, stop: 'failed' },
  ],
  limits: [
    {
      what: 'a usage limit with its end',
      lines: [init, rejected, own, limited],
      end: failed,
      resetAt: 1_763_200_000_000,
    },
    { what: 'a limit without', lines: [init, own, limited], end: failed, resetAt: null },
  ],
  unknown: [
    '{"type":"new_thing","is_error":false,"subtype":"success"}',
    '{"type":"system","subtype":"new_kind"}',
  ],
  conversation: session,
  tellsSuccess: true,
  mayFinish: (lines) => {
    const last = objectsOf(lines).findLast(({ type }) => type === 'result');
    return (
      last?.['is_error'] === false &&
      last['subtype'] === 'success' &&
      // A hook's refusal is told in words only.
      !String(last['result']).startsWith('UserPromptSubmit operation blocked by hook')
    );
  },
};
