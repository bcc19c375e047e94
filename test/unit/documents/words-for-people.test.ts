import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const root = path.join(__dirname, '../../..');

/** A text that somebody reads, and the line at which it begins. */
interface Text {
  readonly line: number;
  readonly words: string;
}

const forbiddenWords = (): readonly string[] => {
  const glossary = readFileSync(path.join(root, 'docs/glossary.md'), 'utf8');
  const [, table = ''] = /<!-- words for people -->\n([^]*?)<!-- \/words for people -->/.exec(glossary) ?? [];
  const rows = table.trim().split('\n').slice(2);
  return rows.flatMap((row) => (row.split('|')[2] ?? '').split(',').map((word) => word.trim()));
};

/** Texts of a program: a literal without a space, which is not text of the page, is a name. */
const textsOfCode = (name: string, source: string): readonly Text[] => {
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true);
  const textOf = (node: ts.Node): readonly string[] => {
    if (ts.isJsxText(node)) return [node.text];
    if (!ts.isStringLiteralLike(node) && !ts.isTemplateHead(node) && !ts.isTemplateMiddleOrTemplateTail(node))
      return [];
    return node.text.includes(' ') ? [node.text] : [];
  };
  const visit = (node: ts.Node): readonly Text[] => [
    ...textOf(node).map((words) => ({ line: lineOf(file, node), words })),
    ...node.getChildren(file).flatMap(visit),
  ];
  return visit(file);
};

const lineOf = (file: ts.SourceFile, node: ts.Node): number =>
  file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;

/** Lines of a document, without what stands in code marks. */
const textsOfDocument = (text: string): readonly Text[] =>
  text.split('\n').map((line, at) => ({ line: at + 1, words: line.replaceAll(/`[^`]*`/g, '') }));

const foundIn = (name: string, source: string): readonly string[] => {
  const texts = name.endsWith('.md') ? textsOfDocument(source) : textsOfCode(name, source);
  return texts.flatMap(({ line, words }) =>
    forbiddenWords()
      .filter((word) => words.toLowerCase().includes(word))
      .map((word) => `${name}:${String(line)}: ${word}`),
  );
};

const filesToRead = (): readonly string[] => [
  ...['README.md', 'CONTRIBUTING.md'],
  ...['api', 'cli', 'page', 'rules', 'docs'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(tsx?|md)$/.test(name))
      .map((name) => path.posix.join(folder, name)),
  ),
];

describe('texts that people read', () => {
  it.each([
    {
      where: 'a text of the page',
      name: 'a.tsx',
      source: 'const a = 1;\nconst b = <p>Not now</p>;',
      found: ['a.tsx:2: not now'],
    },
    { where: 'a message', name: 'a.ts', source: 'const a = `host ${b} is emptied`;', found: ['a.ts:1: emptied'] },
    { where: 'a document', name: 'a.md', source: 'One.\nA host is emptied.', found: ['a.md:2: emptied'] },
    { where: 'a name in a program', name: 'a.ts', source: "const a = 'emptied';", found: [] },
    { where: 'a name in a document', name: 'a.md', source: 'The phase `emptied`.', found: [] },
  ])('looks at $where', ({ name, source, found }) => {
    expect(foundIn(name, source)).toEqual(found);
  });

  it('have one word for one thing', () => {
    const files = filesToRead().filter((name) => name !== 'docs/glossary.md');
    expect(files.length).toBeGreaterThan(0);
    expect(files.flatMap((name) => foundIn(name, readFileSync(path.join(root, name), 'utf8')))).toEqual([]);
  });
});
