/** What an operator did to the keys of an application, as an entry of the trail. */
import type { NoteKeyAct } from '../keys/create-key.ts'
import { recordAct } from './record-act.ts'

export const recordKeyAct: NoteKeyAct = (tx, name, { centerId, appId, name: whom, scopes }, facts) =>
  recordAct(tx, { center: centerId, name, facts: { appId, name: whom, ...facts }, scopes })
