/** Records an operator's action on the keys of an application in the trail. */
import type { NoteKeyAct } from '../access/keys/create-key.ts'
import { recordAct } from './record-act.ts'

export const recordKeyAct: NoteKeyAct = async (tx, name, { centerId, appId, name: whom, scopes }, facts) => {
  await recordAct(tx, { center: centerId, name, facts: { appId, name: whom, ...facts }, scopes })
}
