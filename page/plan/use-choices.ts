/** What a session can be made of. The numbers of instances come later: a large cloud takes a while to list them. */
import { useMemo } from 'preact/hooks';
import type { Choices } from '../client/types';
import type { Look } from '../live/look';
import { useLook } from '../live/use-look';
import { useSignedIn } from '../signed-in';

/** Names that stand here until the service has told its own. */
const usualNames: Choices = { hosts: [], workflows: ['vnf', 'default'], action_plugins: [] };

export const useChoices = (): { readonly look: Look<Choices>; readonly choices: Choices } => {
  const { api } = useSignedIn();
  const look = useLook<Choices>('choices', { read: async () => ({ body: await api.choices() }), everyMs: 60_000 });
  const counted = useLook<Choices>('choices with counts', {
    read: async () => ({ body: await api.choicesWithCounts() }),
    everyMs: 300_000,
    after: look,
  });
  const [plain, withCounts] = [look.seen.value?.body, counted.seen.value?.body];
  const choices = useMemo(() => {
    const counts = new Map(withCounts?.hosts.map((host) => [host.hostname, host.instance_count]));
    if (plain === undefined) return usualNames;
    return {
      ...plain,
      hosts: plain.hosts.map((host) => ({ ...host, instance_count: counts.get(host.hostname) ?? null })),
    };
  }, [plain, withCounts]);
  return { look, choices };
};
