/**
 * What the page of the administration has to show: every valid key of the center, with what it may read, and its devices,
 * links, sources, imports and reports.
 */
import type {
  CenterDevice,
  CenterKey,
  CenterLink,
  CenterReport,
  CenterSources,
} from '../../../../client/src/openapi.ts'
import { all, type Expectation, fact } from './expecting.ts'

export const administration: Expectation = async ({ api, say }) => {
  const found: CenterKey[] = []
  for (let page = 1; ; page += 1) {
    const { data, total } = await api.get<{ data: CenterKey[]; total: number }>(
      `/administration/keys?length=20&start=${page}`,
    )
    found.push(...data)
    if (found.length >= total || data.length === 0) break
  }
  const { data: devices } = await api.get<{ data: CenterDevice[] }>('/administration/devices')
  const { data: links } = await api.get<{ data: CenterLink[] }>('/administration/links')
  const { data: reports } = await api.get<{ data: CenterReport[] }>('/administration/reports')
  const { data: sources, addresses, imports } = await api.get<CenterSources>('/administration/sources')
  return [
    all(
      fact('that reading is recorded', [say('pageIsRecorded')]),
      ...devices.map(({ name, publicKey }) => fact('a device', [name, publicKey])),
      ...links.map(({ name, query }) => fact('a link', [name, query])),
      ...reports.map(({ name, destinations }) => fact('a report', [name, ...destinations])),
      ...sources.map(({ name, schedule }) =>
        fact('a source', [name, ...(schedule === null ? [] : [schedule])]),
      ),
      ...imports.map(({ source }) => fact('an import', [source])),
      fact('who is notified', addresses),
      ...found.map((key) =>
        fact('a key', [
          key.name,
          key.appId,
          key.intake ? say('bringsData') : key.scopes.join(', '),
          ...key.customFields,
          key.responsible ?? say('nobodyNamed'),
          ...(key.reviewOn === null ? [say('noDate')] : []),
          ...(key.expiresAt === null ? [say('neverEnds')] : []),
        ]),
      ),
    ),
  ]
}
