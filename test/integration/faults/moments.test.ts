/**
 * Some of the moments that hurt most, those in which a fact is recorded and nobody knows it yet; all of them, with
 * every process, are part of the fault run (test/faults).
 */
import { testMoments } from './moment-tests';

testMoments([
  { victim: 'worker', moment: 'mid-move' },
  { victim: 'api', moment: 'reply' },
  { victim: 'postgres', moment: 'admission' },
]);
