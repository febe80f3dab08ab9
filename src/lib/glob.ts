const special = /[.+^$()|[\]\\]/;

/**
 * Whether a path matches a pattern: `*` and `?` within one name, `**` across folders, `{a,b}` for alternatives. A pattern that
 * ends with `/` means everything below that folder. Everything else stands for itself.
 */
export function matchesGlob(path: string, pattern: string): boolean {
  return toExpression(pattern.endsWith('/') ? `${pattern}**` : pattern).test(path);
}

function toExpression(pattern: string): RegExp {
  let source = '';
  let depth = 0;
  for (let at = 0; at < pattern.length; at += 1) {
    const rest = pattern.slice(at);
    const character = pattern.charAt(at);
    const starts = at === 0 || pattern[at - 1] === '/';
    if (starts && rest.startsWith('**/')) {
      source += '(?:[^/]*/)*';
      at += 2;
    } else if (rest.startsWith('**')) {
      source += '.*';
      at += 1;
    } else if (character === '*') source += '[^/]*';
    else if (character === '?') source += '[^/]';
    else if (character === '{' && rest.includes('}')) {
      source += '(?:';
      depth += 1;
    } else if (character === '}' && depth > 0) {
      source += ')';
      depth -= 1;
    } else if (character === ',' && depth > 0) source += '|';
    else
      source +=
        special.test(character) || character === '{' || character === '}' ? `\\${character}` : character;
  }
  return new RegExp(`^${source}${')'.repeat(depth)}$`, 'su');
}
