/** What a page of this service may load and run in a browser: its own files alone, unless more is named. */

type Directive = 'img-src' | 'connect-src';

/** @param more in place of the page's own files */
export const policyFor = (more: Partial<Record<Directive, readonly string[]>> = {}): string => {
  const sources = (directive: Directive): string => `${directive} ${(more[directive] ?? ["'self'"]).join(' ')}`;
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    sources('img-src'),
    sources('connect-src'),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
};
