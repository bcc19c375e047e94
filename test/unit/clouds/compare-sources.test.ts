import { compareSources } from '../../../clouds/compare-sources';
import type { CloudInstance } from '../../../rules/cloud/cloud-facts';
import { movesElsewhere } from '../../../rules/cloud/departure';

const anInstance = (instanceId: string): CloudInstance => ({
  ...{ instanceId, instanceName: `name-of-${instanceId}`, projectId: 'p', host: 'h', flavor: 'f' },
  ...{ amounts: { VCPU: 1, MEMORY_MB: 1 }, state: 'ACTIVE', departure: movesElsewhere },
});
const source = (name: string, ...ids: string[]) => ({ name, placed: new Map(ids.map((id) => [id, `name-of-${id}`])) });

describe('sources that are held against each other', () => {
  it.each([
    { situation: 'all know the same', listed: ['a'], book: ['a'], hypervisor: ['a'], doubted: [] },
    { situation: 'nobody knows anything', listed: [], book: [], hypervisor: [], doubted: [] },
    {
      situation: 'only the list knows it: it is moved like any other',
      listed: ['a'],
      book: [],
      hypervisor: [],
      doubted: [],
    },
    { situation: 'the list does not know it', listed: [], book: ['a'], hypervisor: ['a'], doubted: ['a'] },
    { situation: 'only one source knows it', listed: ['b'], book: ['b', 'a'], hypervisor: [], doubted: ['a'] },
    { situation: 'each knows another one', listed: ['a'], book: ['b'], hypervisor: ['c'], doubted: ['b', 'c'] },
  ])('$situation', ({ listed, book, hypervisor, doubted }) => {
    const content = compareSources({
      host: 'h',
      listed: listed.map(anInstance),
      others: [source('the book', ...book), source('the hypervisor', ...hypervisor)],
    });
    expect(content.instances.map(({ instanceId }) => instanceId)).toEqual(listed);
    expect(content.doubts.map(({ instanceId }) => instanceId)).toEqual(doubted);
  });

  it('says who knows what, and what the operator can do', () => {
    const others = [source('the book'), source('the hypervisor', 'a')];
    expect(compareSources({ host: 'h', listed: [], others }).doubts).toEqual([
      {
        ...{ instanceId: 'a', owner: 'operator' },
        because:
          'instance name-of-a (a) may be on host h: the hypervisor places it there, ' +
          'the list of instances and the book know nothing of it',
        help: 'find out whether it runs on host h; then delete what is left of it there, or repair the source that is wrong',
      },
    ]);
  });

  it('takes what is known for certain in place of that, once', () => {
    const doubt = {
      instanceId: 'a',
      owner: 'project',
      projectId: 'p',
      because: 'it may go back',
      help: 'confirm',
    } as const;
    const explained = new Map([['a', doubt]]);
    const others = [source('the book', 'a'), source('the hypervisor', 'a')];
    expect(compareSources({ host: 'h', listed: [], others, explained }).doubts).toEqual([doubt]);
  });
});
