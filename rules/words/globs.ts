/** Patterns for names, as in a shell: * stands for any text, ? for one character. */

export const isGlob = (pattern: string): boolean => /[*?]/.test(pattern);

export const matchesGlob = (pattern: string, name: string): boolean =>
  new RegExp(`^${pattern.replaceAll(/[^\w]/gu, asExpression)}$`, 'u').test(name);

const asExpression = (character: string): string => {
  if (character === '*') return '.*';
  return character === '?' ? '.' : character.replace(/[\\^$.|+()[\]{}/]/u, String.raw`\$&`);
};
