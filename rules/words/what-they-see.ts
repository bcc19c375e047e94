/**
 * Hints of the API for people, who look at the page or at a terminal and send no requests by hand. A request that a
 * text names becomes the control or the command that sends it; the pointer to a field becomes the name of the field.
 */
import { repliesInWords } from './states';

export type Sight = 'page' | 'terminal';

type Phrase = readonly [said: RegExp, page: string, terminal: string];

/** Longer phrases stand before those that they begin with. */
const phrases: readonly Phrase[] = [
  [/GET \/v1\/maintenance lists the sessions/, '“Sessions” lists those there are', 'parley list shows those there are'],
  [/GET \/v1\/maintenance\/\{session_id\}\/detail/, 'the page of the session', 'parley show --hosts'],
  [/POST \/v1\/maintenance\/\{session_id\}\/hosts\/\{hostname\}\/retry/, '“Retry a host”', 'parley hosts retry'],
  [/POST \/v1\/maintenance\/\{session_id\}\/hosts\/\{hostname\}\/skip/, '“Skip a host”', 'parley hosts skip'],
  [
    /POST \/v1\/maintenance\/\{session_id\}\/hosts\/\{hostname\}\/ignore/,
    '“Ignore what a host waits for”',
    'parley hosts ignore',
  ],
  [/POST \/v1\/maintenance\/\{session_id\}\/resume/, '“Resume”', 'parley resume'],
  [/PATCH \/v1\/maintenance\/\{session_id\}/, '“Steer”', 'parley set'],
  [
    /PUT \/v1\/maintenance\/\{session_id\}\/\{project_id\}/,
    'on the page of the project',
    'parley questions, parley reply',
  ],
  [/PUT \/v1\/maintenance\/\{session_id\}/, '“Continue”', 'parley continue'],
  [/DELETE removes/, '“Delete” removes', 'parley delete removes'],
  [
    /PUT \/v1\/instance\/\{instance_id\} and PUT \/v1\/instance_group\/\{group_id\}/,
    'see “API” at the top',
    'parley constraints import',
  ],
  [/PUT \/v1\/instance(_group)?\/\{\w+\}/, 'the requests that “API” at the top shows', 'parley constraints import'],
  [
    /the hours in its terms \(PUT \/v1\/projects\/\{project_id\}\/terms\)/,
    'the hours in its terms, on its own page',
    'the hours in its terms (parley terms set)',
  ],
  [
    /store them with PUT \/v1\/projects\/\{project_id\}\/terms/,
    'the page of the project has a form for them',
    'parley terms set stores them',
  ],
  [
    /PUT \/v1\/projects\/\{project_id\}\/terms/,
    'the request that “API” at the top shows',
    'the request that /docs shows',
  ],
  [
    /GET \/v1\/webhooks lists the webhooks/,
    'the API lists those there are',
    'parley webhooks list shows those there are',
  ],
  [/GET \/v1\/freezes lists the freezes/, 'the API lists those there are', 'parley freezes list shows those there are'],
  [
    /change the freeze \(PUT \/v1\/freezes\/\{name\}\)/,
    'change the freeze (“API” at the top shows how)',
    'change the freeze (parley freezes set)',
  ],
  [/parley freezes list/, '“API” at the top shows them', 'parley freezes list'],
  [/parley webhooks list/, '“API” at the top shows them', 'parley webhooks list'],
  [/parley hosts retry/, '“Retry a host”', 'parley hosts retry'],
  [/parley hosts first/, '“Drain it first”', 'parley hosts first'],
  [/parley resume/, '“Resume”', 'parley resume'],
  [/parley continue/, '“Continue”', 'parley continue'],
  [/parley release/, '“Release it”', 'parley release'],
  [/parley hosts ignore/, '“Ignore what a host waits for”', 'parley hosts ignore'],
  [/PUT goes on/, '“Continue” goes on', 'parley continue goes on'],
  [/make one with POST at this path/, 'make one first', 'make one first'],
  [/: a POST that creates a session with the same Idempotency-Key/, '', ''],
  [
    /\/readyz and the service's log say/,
    'the top of this page and the log of the service say',
    '/readyz and its log say',
  ],
  [/\/readyz says whether/, 'the top of this page says whether', '/readyz says whether'],
  [/once \/readyz says that the database answers/, 'once the service is ready again', 'once the database answers'],
  [/PUT continues/, '“Continue” continues it', 'parley continue continues it'],
  [/GET \/v1\/sign-in lists the ways to sign in/, 'sign in another way', 'sign in another way'],
  [
    /or leave the list empty for all of the cloud's hosts/,
    'or tick “All hosts of the cloud”',
    "or give --hosts all for all of the cloud's hosts",
  ],
  [
    /correct the fields named in errors; \/docs shows the schema and an example/,
    'correct the fields that are named above',
    'correct what is named above',
  ],
  [/named in errors/, 'named above', 'named above'],
  [/send a token of the service in the header .*Bearer/, 'sign in with a token of this service', 'give a token'],
  [
    /get a token from Keystone and send it in the header .*Bearer/,
    'sign in with user and password, or with a token (openstack token issue)',
    'get a token from Keystone',
  ],
  [/ and send it as Authorization: Bearer, or in X-Auth-Token/, ' and sign in with it', ''],
  [/put (.+) into the path/, 'see whether the address is whole', 'give $1'],
  [/the path's (\w+) is not/, 'the $1 in the address is not', 'the $1 is not'],
];

const words: Readonly<Record<Sight, (phrase: Phrase) => string>> = {
  page: ([, page]) => page,
  terminal: ([, , terminal]) => terminal,
};

/** The text in the words of what they see. */
export const asSeen = (text: string, sight: Sight): string => {
  const said = phrases.reduce((part, phrase) => part.replace(new RegExp(phrase[0], 'g'), words[sight](phrase)), text);
  return sight === 'page' ? repliesInWords(said) : said;
};

type Field = readonly [pointer: RegExp, page: string, terminal: string];

/** $1: the number of the entry, from 1. An empty name: the text alone says it. */
const fields: readonly Field[] = [
  [/^#path\//, '', ''],
  [/^\/hosts\/(\d+)/, 'Hosts', '--hosts, entry $1:'],
  [/^\/hosts$/, 'Hosts', '--hosts'],
  [/^\/select\/except\/(\d+)/, 'Except', '--except, entry $1:'],
  [/^\/select\b/, 'Labels', '--select'],
  [/^\/workflow$/, 'Workflow', '--workflow'],
  [/^\/maintenance_at$/, 'Start', '--start'],
  [/^\/actions\/(\d+)/, 'Plug-in $1', 'actions, entry $1:'],
  [/^\/download\b/, 'Packages to download', 'download'],
  [/^\/metadata\b/, 'Metadata for projects', 'metadata'],
  [/^\/max_parallel_hosts$/, 'Hosts under work at once, at most', 'max_parallel_hosts'],
  [/^\/max_parallel_per\b/, 'Hosts at once for each label', 'max_parallel_per'],
  [/^\/one_domain_at_a_time$/, 'One at a time', 'one_domain_at_a_time'],
  [/^\/host_start_seconds$/, 'Seconds for a host to be up again', 'host_start_seconds'],
  [/^\/name$/, 'Name', '--name'],
  [/^\/reason$/, 'Reason', 'reason'],
  [/^\/postpone\b/, 'Let projects put work off', 'postpone'],
  [/^\/eviction\b/, 'Pods that somebody may miss', 'eviction'],
  [/^\/max_failed_hosts$/, 'Hosts that may fail', 'max_failed_hosts'],
  [/^\/failed_hosts$/, 'Hosts that have failed', 'failed_hosts'],
  [/^\/deadline$/, 'Deadline', 'deadline'],
  [/^\/windows\/(\d+)/, 'Window $1', 'windows, entry $1:'],
  [/^\/windows$/, 'Maintenance windows', 'windows'],
  [/^\/owner_hours\b/, 'The hours in which owners let you work', 'owner_hours'],
  [/^\/hours\/(\d+)/, 'Window $1 of your hours', 'hours, entry $1:'],
  [/^\/hours$/, 'Your hours', 'hours'],
  [/^\/notice_seconds$/, 'Seconds of notice', 'notice_seconds'],
  [/^\/ignore_freezes$/, 'Ignore freezes, because', 'ignore_freezes'],
  [/^\/times\/(\d+)/, 'Time $1', 'times, entry $1:'],
  [/^\/times$/, 'Times', 'times'],
  [/^\/from$/, 'from', '--from'],
  [/^\/until$/, 'until', '--until'],
  [/^\/canary\b/, 'First some hosts alone (canary)', 'canary'],
  [/^\/reply_policy\b/, 'When a project does not agree', 'reply_policy'],
];

/** The field that a pointer leads to, by the name that they see; the pointer itself where they see no such field. */
export const fieldAsSeen = (pointer: string, sight: Sight): string => {
  for (const [said, page, terminal] of fields) {
    const found = said.exec(pointer);
    if (found === null) continue;
    const name = sight === 'page' ? page : terminal;
    return name.replace('$1', String(Number(found[1]) + 1));
  }
  return pointer;
};
