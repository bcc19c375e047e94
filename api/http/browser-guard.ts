/**
 * Protects a service without tokens from web pages. Without tokens every caller is admin, and a browser on this machine
 * reaches the service for every page that it shows. Such a page can make its own name point here (DNS rebinding), and
 * can send requests that need no permission from the service, such as a POST without a body. So requests must name this
 * machine, or the address at which projects reach the service, and requests that change something must not come from a
 * page of another origin.
 */
import type { RequestHandler } from 'express';
import { isLoopback } from '../../config/loopback';
import { foreignOrigin, unknownHost } from '../problems/problem-catalogue';

/**
 * A name or address, and perhaps a port. Other text that URL parsers would take for a host is not allowed in this
 * header.
 */
const hostHeader = /^(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i;

const urlOf = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined);

const hostIn = (header: string): URL | undefined => (hostHeader.test(header) ? urlOf(`http://${header}`) : undefined);

const nameOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');

const reading: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/** @param baseUrl of the service, as projects reach it */
export const createBrowserGuard = (baseUrl: string): RequestHandler => {
  const own = new URL(baseUrl);
  const isOwnHost = (asked: URL): boolean => isLoopback(nameOf(asked)) || asked.hostname === own.hostname;
  const isOwnOrigin = (origin: string, asked: URL): boolean => {
    const from = urlOf(origin);
    return from !== undefined && (from.origin === own.origin || from.host === asked.host);
  };
  return (req, _res, next) => {
    const asked = hostIn(req.get('host') ?? '');
    if (asked === undefined || !isOwnHost(asked)) throw unknownHost(req.get('host') ?? '');
    const origin = req.get('origin');
    const isForeign = origin !== undefined && !isOwnOrigin(origin, asked);
    if (isForeign && !reading.includes(req.method)) throw foreignOrigin(origin);
    next();
  };
};
