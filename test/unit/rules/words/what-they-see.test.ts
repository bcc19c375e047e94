import { globSync, readFileSync } from 'node:fs';
import { asSeen, fieldAsSeen, type Sight } from '../../../../rules/words/what-they-see';

const sights: readonly Sight[] = ['page', 'terminal'];
/** A request with its path, as hints write it. */
const aRequest = /\b(?:GET|PUT|POST|PATCH|DELETE) \/v1\/[\w/{}]+/g;

/** Words of a terminal, or of those who write programs for the API. */
const aCommand = /\bparley [a-z]+|\b(?:PUT|PATCH|DELETE|POST) |\/readyz/g;

/** The texts that the service gives to people: of refusals, and of what stands in the way of a session. */
const textsWith = (words: RegExp): string[] =>
  globSync([
    'api/problems/*.ts',
    'api/services/*.ts',
    'activities/{hosts,session,upkeep}/*.ts',
    'clouds/kubernetes/content/*.ts',
    'rules/requests/*.ts',
    'rules/{obstacles,reasons,simulation,steering}/**/*.ts',
  ])
    .flatMap((file) => readFileSync(file, 'utf8').match(/(['"`])(?:(?!\1).)+\1/g) ?? [])
    .filter((text) => text.search(words) >= 0);

describe('a hint for people', () => {
  it('names no request of the API, wherever the service has one', () => {
    const texts = textsWith(aRequest);
    expect(texts.length).toBeGreaterThan(10);
    for (const sight of sights) {
      expect(texts.map((text) => asSeen(text, sight)).filter((text) => text.search(aRequest) >= 0)).toEqual([]);
    }
  });

  it('names on the page neither a command nor a method of HTTP', () => {
    const texts = textsWith(aCommand);
    expect(texts.length).toBeGreaterThan(10);
    const seen = texts.map((text) => asSeen(text, 'page')).filter((text) => text.search(aCommand) >= 0);
    expect(seen).toEqual([]);
  });

  it.each([
    {
      hint: "name hosts as the cloud does, or leave the list empty for all of the cloud's hosts",
      page: 'name hosts as the cloud does, or tick “All hosts of the cloud”',
      terminal: "name hosts as the cloud does, or give --hosts all for all of the cloud's hosts",
    },
    {
      hint: 'GET /v1/maintenance lists the sessions; a deleted one is gone',
      page: '“Sessions” lists those there are; a deleted one is gone',
      terminal: 'parley list shows those there are; a deleted one is gone',
    },
    {
      hint: 'PUT /v1/maintenance/{session_id} goes on with it, DELETE removes it',
      page: '“Continue” goes on with it, “Delete” removes it',
      terminal: 'parley continue goes on with it, parley delete removes it',
    },
    {
      hint: 'bring the host back; then POST /v1/maintenance/{session_id}/hosts/{hostname}/retry if it was set aside',
      page: 'bring the host back; then “Retry a host” if it was set aside',
      terminal: 'bring the host back; then parley hosts retry if it was set aside',
    },
    { hint: 'put a UUID into the path', page: 'see whether the address is whole', terminal: 'give a UUID' },
    { hint: 'wait for its end', page: 'wait for its end', terminal: 'wait for its end' },
  ])('says what they see in place of "$hint"', ({ hint, ...seen }) => {
    expect({ page: asSeen(hint, 'page'), terminal: asSeen(hint, 'terminal') }).toEqual(seen);
  });

  it.each([
    { pointer: '/hosts', page: 'Hosts', terminal: '--hosts' },
    { pointer: '/hosts/3', page: 'Hosts', terminal: '--hosts, entry 4:' },
    { pointer: '/actions/0/plugin', page: 'Plug-in 1', terminal: 'actions, entry 1:' },
    { pointer: '/windows/1/from', page: 'Window 2', terminal: 'windows, entry 2:' },
    { pointer: '#path/session_id', page: '', terminal: '' },
    { pointer: '/else', page: '/else', terminal: '/else' },
  ])('names the field that $pointer leads to', ({ pointer, ...seen }) => {
    expect({ page: fieldAsSeen(pointer, 'page'), terminal: fieldAsSeen(pointer, 'terminal') }).toEqual(seen);
  });
});

it.each([
  {
    text: 'replied ACK_PLANNED_MAINTENANCE for instance web-1',
    page: 'agreed to planned maintenance for instance web-1',
  },
  { text: 'project ims answered NACK_MAINTENANCE 3 times', page: 'project ims refused maintenance 3 times' },
  { text: 'replied', page: 'replied' },
  {
    text: 'stayed silent about 2 questions of PREPARE_MAINTENANCE: the default followed',
    page: 'stayed silent about 2 questions of prepare maintenance: the default followed',
  },
])('the page says “$text” as “$page”, and the terminal leaves it', ({ text, page }) => {
  expect([asSeen(text, 'page'), asSeen(text, 'terminal')]).toEqual([page, text]);
});
