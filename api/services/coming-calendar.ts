/** The calendar of a project: what it was told is coming, and what has been in the last weeks. */
import { findWordsOfProject } from '../../prisma/coming/told-coming';
import { type Database, databaseNow } from '../../prisma/database';
import type { Id } from '../../rules/cloud/id';
import { calendarOf } from '../showing/calendar';

const pastDays = 30;
const dayMs = 86_400_000;

/** @returns the text of the calendar */
export const projectCalendar = async (db: Database, projectId: Id): Promise<string> => {
  const since = new Date((await databaseNow(db)).getTime() - pastDays * dayMs);
  return calendarOf(await findWordsOfProject(db, { projectId, since }), projectId.text);
};
