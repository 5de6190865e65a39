/** `GET /administration/keys`: the keys of the center. */
import { PRESETS, type Scope } from '../../core/access/keys/scopes.ts'
import { listParameters, readList, uncachedPlan } from '../../core/acts/list-page.ts'
import { type Scoped, subjectRules } from '../../core/api/me/subjects.ts'
import { defineOperation, type Operation } from '../../core/request/operation.ts'
import { selectKeys } from './administration-sql.ts'
import { KEYS_SCHEMA } from './key-schema.ts'

const parameters = listParameters('keys', 'Whether keys are listed too that were revoked or have expired.')

/** @param scoped every operation and action; this is one of them itself, so they are known once it is asked */
export const createListKeys = (scoped: () => readonly Scoped[]): Operation =>
  defineOperation({
    name: 'listKeys',
    summary: 'Keys of the center',
    description:
      'The keys of the center, never their secrets: who uses each, what it may read, who answers for it, when it was used last, when it is reviewed, and when it expires. Valid keys come first, then the newest. Your key may grant the scopes in `grants`.',
    paths: ['/administration/keys'],
    scope: 'administration',
    dependsOn: ['key'],
    parameters,
    response: KEYS_SCHEMA,

    parse({ center, key, query }) {
      const list = readList(parameters, query, center.maximumPageLength)
      if ('refusal' in list) return { requiredScopes: [], refusal: list.refusal }
      const { page, part, normalForm } = list
      return uncachedPlan(
        normalForm,
        selectKeys(center.id, key.publicKey, part),
        ([granted, total, data]: readonly [Scope[] | null, number, readonly unknown[]]) => {
          const grants = granted ?? []
          return {
            data,
            total,
            grants,
            presets: presetsWithin(grants),
            subjects: subjectRules(scoped(), center),
          }
        },
        ({ total }) => ({ ...page, total }),
      )
    },
  })

/** The presets that a key with these grants can give. */
const presetsWithin = (grants: readonly Scope[]) =>
  Object.entries(PRESETS).flatMap(([name, scopes]: [string, readonly Scope[]]) =>
    scopes.every((scope) => grants.includes(scope)) ? [{ name, scopes }] : [],
  )
