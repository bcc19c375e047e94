/**
 * Events of the cluster, as `kubectl describe` shows them. They adorn: without the right to create them there are none,
 * and nothing waits for one.
 */
import { createHash } from 'node:crypto';
import { Type } from '@sinclair/typebox';
import type { KubernetesClient } from '../client/kubernetes-client';
import { defineResource } from '../client/resource';

const events = defineResource({
  apiVersion: 'v1',
  kind: 'Event',
  isNamespaced: true,
  fields: { reason: Type.Optional(Type.String()) },
});

export interface ClusterEvent {
  readonly about: { readonly kind: string; readonly name: string; readonly uid: string; readonly namespace?: string };
  /** One word in CamelCase. */
  readonly reason: string;
  readonly message: string;
}

export interface EventTeller {
  /** It never rejects. */
  tell(event: ClusterEvent): Promise<void>;
}

export interface EventSources {
  readonly client: KubernetesClient;
  /** True when the login lacks the right with this name. */
  readonly lacks: (rule: string) => Promise<boolean>;
}

/** Events about what is in no namespace are kept here. */
const otherwise = 'default';

export const createEventTeller = ({ client, lacks }: EventSources): EventTeller => ({
  async tell({ about, reason, message }) {
    if (await lacks('create events').catch(() => true)) return;
    const namespace = about.namespace ?? otherwise;
    // The same event has the same name, so that a repeat makes no second one.
    const mark = createHash('sha256').update(`${about.uid} ${reason} ${message}`).digest('hex').slice(0, 16);
    const now = new Date().toISOString();
    const times = { firstTimestamp: now, lastTimestamp: now, count: 1 };
    const source = { source: { component: 'parley' }, reportingComponent: 'parley', reportingInstance: 'parley' };
    const metadata = { name: `${about.name}.${mark}`, namespace };
    const event = { metadata, involvedObject: about, reason, message, type: 'Normal', ...times, ...source };
    await client.create(events, event).catch(() => undefined);
  },
});
