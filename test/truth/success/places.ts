import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { repository } from '../../rig/repository.ts';

const claims = /✔|\b(?:succeeded|done|landed|approved)\b/;

/** Every text of the terminal's code that could claim a success: `file › function › text`. Help pages claim nothing. */
export function successPlaces(): readonly string[] {
  return sourceFiles('src/cli').flatMap((file) => placesIn(file, readFileSync(repository(file), 'utf8')));
}

function sourceFiles(folder: string): readonly string[] {
  return readdirSync(repository(folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sourceFiles(path);
    return path.endsWith('.ts') && !path.endsWith('.test.ts') ? [path] : [];
  });
}

export function placesIn(file: string, text: string): readonly string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (isHelp(node)) return;
    const words = textOf(node);
    if (words !== null && claims.test(words) && !isCompared(node))
      found.add(`${file.replace('src/cli/', '')} › ${ownerOf(node)} › ${words.split('\n')[0] ?? ''}`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return [...found];
}

/** Definitions of commands, their table and their examples are help. */
function isHelp(node: ts.Node): boolean {
  if (ts.isVariableDeclaration(node)) return ['commands', 'examples'].includes(node.name.getText());
  return ts.isCallExpression(node) && node.expression.getText() === 'defineCommand';
}

/** What a literal or the mark of a success says; the places of a template are dots. */
function textOf(node: ts.Node): string | null {
  if (ts.isPropertyAccessExpression(node) && /^(?:glyphs|marks)\.good$/.test(node.getText())) return '✔';
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return null;
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('…');
}

/** A word that is only compared, named as a type or looked up is not printed. */
function isCompared(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isCaseClause(parent) || ts.isLiteralTypeNode(parent) || ts.isImportDeclaration(parent)) return true;
  if (ts.isCallExpression(parent) && ts.isPropertyAccessExpression(parent.expression))
    return parent.expression.name.text === 'get';
  if (!ts.isBinaryExpression(parent)) return false;
  const { kind } = parent.operatorToken;
  return (
    kind === ts.SyntaxKind.EqualsEqualsEqualsToken || kind === ts.SyntaxKind.ExclamationEqualsEqualsToken
  );
}

/** The function, method or constant in which it stands. */
function ownerOf(node: ts.Node): string {
  const names: string[] = [];
  for (let at: ts.Node | undefined = node.parent; at !== undefined; at = at.parent) {
    if (ts.isFunctionDeclaration(at) || ts.isMethodDeclaration(at) || ts.isVariableDeclaration(at))
      names.push(at.name?.getText() ?? '');
  }
  return names.at(-1) ?? '';
}
