import { readFileSync } from 'node:fs';
import { policyLines, rightsMarkdown } from './describe-rights';

const withoutPadding = (table: string): string =>
  table
    .trim()
    .split('\n')
    .map((line) => line.replace(/ +\|/g, ' |').replace(/-{3,}/g, '---'))
    .join('\n');

const part = (name: string): string => {
  const page = readFileSync('docs/openstack.md', 'utf8');
  const [, text = ''] = new RegExp(`<!-- ${name} -->\n([^]*?)<!-- /${name} -->`).exec(page) ?? [];
  return text;
};

describe('docs/openstack.md', () => {
  it('has the table of rights', () => {
    expect(withoutPadding(part('rights'))).toBe(rightsMarkdown());
  });

  it('has the lines of a policy file for a role', () => {
    expect(part('policy').trimEnd().replace(/^\n/, '')).toBe(policyLines('maintenance'));
  });
});
