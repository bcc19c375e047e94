/** URLs for texts that people read. */

const holdsLogin = ({ username, password }: URL): boolean => username !== '' || password !== '';

const withoutLogin = (url: URL): string => {
  const shown = new URL(url);
  [shown.username, shown.password] = ['', ''];
  return shown.href;
};

/** The URL without its query and without the login before the @: both may be secret. */
export const shownUrl = (text: string): string => {
  const plain = text.replace(/[?#].*$/s, '');
  if (!text.includes('@')) return plain;
  // Nobody can tell where the login ends in a text that is not a URL.
  if (!URL.canParse(text)) return `${/^[a-z][a-z0-9+.-]*:/i.exec(text)?.[0] ?? ''}…`;
  const url = new URL(text);
  return holdsLogin(url) ? withoutLogin(url).replace(/[?#].*$/s, '') : plain;
};
