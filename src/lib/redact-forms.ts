/** What is shorter is no secret, but a word that stands in every text. */
export const shortestSecret = 8;

/** How a value may be met: as it is, inside JSON, in a URL, in base64 (wherever in it), and a line of it by itself. */
export function formsOf(value: string): readonly string[] {
  const escaped = jsonEscaped(value);
  const forms = [
    value,
    escaped,
    jsonEscaped(escaped),
    ...urlForms(value),
    ...base64Forms(value),
    ...linesOf(value),
    // As it looks where a file is read byte by byte.
    Buffer.from(value).toString('latin1'),
  ];
  return [...new Set(forms)].filter((form) => form.length >= shortestSecret);
}

function jsonEscaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function urlForms(value: string): readonly string[] {
  const encoded = encodeURIComponent(value.toWellFormed());
  const lower = encoded.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
  return [encoded, lower, encoded.replaceAll('%20', '+')];
}

/** Somewhere inside base64 a text begins at one of three places of a group; its edges are mixed with its neighbours. */
function base64Forms(value: string): readonly string[] {
  const bytes = Buffer.from(value);
  const cores = [0, 1, 2].map((shift) => {
    const shifted = Buffer.concat([Buffer.alloc(shift), bytes]);
    const whole = Math.floor((shifted.length * 8) / 6);
    return shifted.toString('base64').slice(shift === 0 ? 0 : shift + 1, whole);
  });
  const forms = [bytes.toString('base64').replaceAll('=', ''), ...cores];
  return forms.flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')]);
}

/** Of a key of several lines each is a secret; a line of words is none. */
function linesOf(value: string): readonly string[] {
  if (!value.includes('\n')) return [];
  return value
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.length >= 16 && !/\s/.test(line));
}
