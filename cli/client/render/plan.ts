/** A plan as text: a line for each host, totals last, and what stands in the way. */
import type { PlanBody } from '../../../api/schemas/plan-schemas';
import { clockOf, count, duration, endInWords } from '../../../rules/words/times';
import { blockerLines } from './blockers';
import type { Look } from './look';
import { type Column, tableOf, wrap } from './table';

type PlannedHostBody = PlanBody['hosts'][number];

const sinceBegin = (plan: PlanBody, at: string | undefined): string =>
  at === undefined ? '-' : `+${duration((Date.parse(at) - Date.parse(plan.planned_at)) / 1000)}`;

const columnsOf = (plan: PlanBody): Column<PlannedHostBody>[] => [
  { title: 'HOST', cell: ({ hostname }) => hostname },
  { title: 'TYPE', cell: ({ type }) => type, mayGo: true },
  { title: 'MOVES', cell: ({ move_count: moves }) => String(moves) },
  { title: 'DRAIN', cell: ({ drain }) => sinceBegin(plan, drain?.from) },
  { title: 'MAINTENANCE', cell: ({ maintenance }) => sinceBegin(plan, maintenance?.from) },
  { title: 'BACK', cell: ({ maintenance }) => sinceBegin(plan, maintenance?.to) },
];

const hostsShown = 50;

export const planLines = (plan: PlanBody, look: Look): string[] => {
  const hosts = look.isWide === true ? plan.hosts : plan.hosts.slice(0, hostsShown);
  const more = plan.hosts.length - hosts.length;
  return [
    ...tableOf(columnsOf(plan), hosts, look),
    ...(more > 0 ? [`and ${count(more, 'further host')} (-o wide shows all)`] : []),
    ...section(blockerLines(plan.blockers, look), look),
    '',
    ...totals(plan).flatMap((line) => wrap(line, look.columns, 2)),
  ];
};

const section = (lines: readonly string[], { paint }: Look): string[] =>
  lines.length === 0 ? [] : ['', paint.title('IN THE WAY'), ...lines];

const totals = (plan: PlanBody): string[] => {
  const { hosts, questions, blockers } = plan;
  const stops = blockers.filter(({ severity }) => severity === 'stops').length;
  const all = [count(hosts.length, 'host'), count(plan.move_count, 'move'), count(questions.length, 'question')];
  const end =
    plan.ends_at === null
      ? `It would not come to its end${plan.stops_at === null ? '' : `; it would stop at ${clockOf(plan.stops_at)}`}.`
      : `It would end ${endInWords(plan)}, about ${clockOf(plan.ends_at.expected)}.`;
  return [
    `Plan: ${all.join(', ')}. ${end}`,
    ...(stops > 0 ? [`${count(stops, 'thing')} must be put right before.`] : []),
  ];
};
