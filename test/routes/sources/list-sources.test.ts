/** `GET /sources`, and the commands that set when data is expected. */
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { schemaChecker } from '../../support/json-schema.ts'
import { booking, customer, lodge } from '../../support/world.ts'
import { guests, HOUR, NOW, type SourcesWorld, startSourcesWorld } from './deliver.ts'

const SET = ['sources', 'set', '--center', 'spa', 'night']
const HOURLY = [...SET, '--kinds', 'bookings', '--schedule', 'hourly']

/** The problems of the first source. */
async function causesOf({ api }: SourcesWorld): Promise<unknown[]> {
  const { body } = await api.get('/v1/sources')
  const [{ problems = [] } = {}] = body.data as unknown as { problems?: { cause: string }[] }[]
  return problems.map(({ cause }) => cause)
}

describe('GET /sources', () => {
  it('shows each source with its schedule, its state and its newest deliveries', async () => {
    const world = await startSourcesWorld()
    await world.run(HOURLY)
    await world.deliver('night', guests(3))
    const { body, headers } = await world.api.get('/v1/sources')
    const document = (await world.api.get('/v1/openapi.json')).body
    expect(schemaChecker(document)('SourceList', body)).toEqual([])
    expect(headers.etag).toBeDefined()
    expect(body.data).toEqual([
      {
        name: 'night',
        kinds: [
          { kind: 'bookings', receivedAt: new Date(NOW).toISOString(), expected: true },
          { kind: 'customers', receivedAt: new Date(NOW).toISOString(), expected: false },
        ],
        schedule: 'hourly',
        everySeconds: 3600,
        late: false,
        dueAt: new Date(NOW + HOUR + 240_000).toISOString(),
        problems: [],
        deliveries: [
          expect.objectContaining({
            at: new Date(NOW).toISOString(),
            way: 'command',
            outcome: 'done',
            lines: 6,
            rejected: 0,
            causes: [],
            fileTime: null,
            files: [{ sha256: expect.stringMatching(/^[0-9a-f]{64}$/), bytes: expect.any(Number) }],
          }),
        ],
      },
    ])
    world.now += 2 * HOUR
    const late = await world.api.get('/v1/sources', { 'if-none-match': String(headers.etag) })
    expect(late.status).toBe(200)
    expect(late.body.data[0]).toMatchObject({ late: true, problems: [{ cause: 'missing' }] })
  })

  it('says why lines were rejected, without a value of a record', async () => {
    const world = await startSourcesWorld()
    await world.run(HOURLY)
    const wrong = [
      customer('x', { firstName: 5, email: 'maria.popescu@example.org', Popescu: 'Maria' }),
      customer('y', { firstName: 'Maria', dob: '1980-02-31' }),
    ]
    expect((await world.deliver('night', wrong)).code).toBe(1)
    const { body, text } = await world.api.get('/v1/sources')
    expect(body.data[0]).toMatchObject({
      problems: [{ cause: 'refused' }],
      deliveries: [{ outcome: 'refused', rejected: 2, causes: expect.any(Array) }],
    })
    const [{ deliveries: [{ causes = [] } = {}] = [] } = {}] = body.data as never[] as {
      deliveries: { causes: { kind: string; field: string | null; count: number }[] }[]
    }[]
    expect(causes.map(({ kind, field, count }) => [kind, field, count])).toEqual(
      expect.arrayContaining([
        ['customer', 'firstName', 1],
        ['customer', 'dob', 1],
        ['customer', null, 1],
      ]),
    )
    expect(text).not.toMatch(/maria|popescu|1980/i)
    const listed = await world.run(['sources', 'list', '--json'])
    expect(listed.stdout).not.toMatch(/maria|popescu|1980/i)
  })

  it('shows nothing of another center, and needs its scope', async () => {
    const world = await startSourcesWorld([lodge()])
    await world.run(HOURLY)
    await world.deliver('night', guests(3))
    const other = world.api.as(await world.api.createKey({ center: 'lodge' }))
    expect((await other.get('/v1/sources')).body.data).toEqual([])
    const lesser = world.api.as(
      await world.api.createKey({ scopes: ['guests', 'meals', 'orders', 'sessions'] }),
    )
    expect((await lesser.get('/v1/sources')).status).toBe(403)
  })

  it('knows the application that sends, and whether it still has a key', async () => {
    const world = await startSourcesWorld()
    const key = await world.api.createKey({ intake: true })
    expect((await world.run([...HOURLY, '--app', key.appId])).code).toBe(0)
    const problems = () => causesOf(world)
    expect(await problems()).toEqual([])
    await world.api.database.query(sql`
      update api_keys set expires_at = ${new Date(NOW + 13 * 24 * HOUR).toISOString()}
      where center_id = 'spa' and app_id = ${key.appId}`)
    expect(await problems()).toEqual(['keyExpires'])
    expect((await world.run(['keys', 'revoke', key.publicKey])).code).toBe(0)
    expect(await problems()).toEqual(['keyRevoked'])
  })
})

describe('sojourn sources', () => {
  it('sets only what is given, records it in the trail, and removes', async () => {
    const world = await startSourcesWorld()
    expect((await world.run(HOURLY)).stdout).toBe('night: bookings; expected hourly.\n')
    expect((await world.run([...SET, '--kinds', 'bookings,customers'])).stdout).toBe(
      'night: bookings, customers; expected hourly.\n',
    )
    const { stdout } = await world.run(['sources', 'list'])
    expect(stdout).toMatch(/spa +night +bookings, customers +hourly +never +in time\n$/)
    world.now += 2 * HOUR
    expect((await world.run(['sources', 'list'])).stdout).toMatch(
      /never +late\nspa night: Nothing that counts has arrived in time\. .+\n$/,
    )
    expect((await world.run(['status'])).stdout).toMatch(/spa night +late: Nothing that counts/)
    expect((await world.run([...SET, '--schedule', 'none'])).stdout).toMatch(/no delivery is expected/)
    expect((await world.run(['status'])).stdout).not.toMatch(/spa night/)
    expect((await world.run(['sources', 'remove', '--center', 'spa', 'night'])).stdout).toBe(
      'Removed night.\n',
    )
    const trail = await world.run(['audit', 'list', '--center', 'spa'])
    expect(trail.stdout).toMatch(/setSource/)
    expect(trail.stdout).toMatch(/removeSource/)
  })

  it.each([
    [[...SET, '--schedule', 'daily'], 'is not one of "hourly"'],
    [[...SET, '--schedule', 'hourly'], 'A schedule needs the kinds that are expected'],
    [[...SET, '--kinds', 'guests'], 'There is no kind "guests"; the kinds are bookings'],
    [
      ['sources', 'set', '--center', 'spa', 'sql', '--kinds', 'terms'],
      'no commit says that it brought terms',
    ],
    [[...SET, '--app', 'sjn_app_none'], 'no intake key of the application "sjn_app_none"'],
    [['sources', 'set', '--center', 'nowhere', 'night'], 'nowhere'],
    [['sources', 'set', '--center', 'spa', 'a b'], 'Expected an identifier'],
    [['sources', 'remove', '--center', 'spa', 'night'], 'spa has no source "night"'],
    [['sources', 'report', '--center', 'spa', '--state', 'fine', 'night'], 'Allowed choices are watching'],
  ])('refuses %j', async (args, sentence) => {
    const world = await startSourcesWorld()
    const { code, stderr } = await world.run(args)
    expect(code).not.toBe(0)
    expect(stderr).toContain(sentence)
    expect((await world.api.get('/v1/sources')).body.data).toEqual([])
  })

  it('takes at most 50 sources of a center', async () => {
    const world = await startSourcesWorld()
    await world.api.database.query(sql`
      insert into sources (center_id, name) select 'spa', 's' || n from generate_series(1, 50) as n`)
    const { code, stderr } = await world.run(HOURLY)
    expect([code, stderr]).toEqual([1, expect.stringContaining('at most 50 sources')])
  })

  it('reports how a watched folder is', async () => {
    const world = await startSourcesWorld()
    await world.run([...SET.slice(0, -1), 'watch', '--kinds', 'bookings', '--schedule', 'hourly'])
    const report = ['sources', 'report', '--center', 'spa', 'watch']
    const causes = () => causesOf(world)
    await world.run([...report, '--state', 'watching'])
    expect(await causes()).toEqual([])
    await world.run([...report, '--state', 'watching', '--unfinished', '3600000'])
    expect(await causes()).toEqual(['unfinished'])
    await world.run([...report, '--state', 'watching', '--waiting', '600000', '--disk-full'])
    expect(await causes()).toEqual(['diskFull'])
    await world.run([...report, '--state', 'missing'])
    expect(await causes()).toEqual(['folderMissing'])
    await world.run([...report, '--state', 'watching'])
    world.now += 5 * 60_000
    expect(await causes()).toEqual(['watcherEnded'])
  })

  describe('of a program that writes with SQL', () => {
    /** A commit of the kind `guest` in `spa`, and one of another center, at the simulated time. */
    async function write({ api, now }: SourcesWorld): Promise<void> {
      for (const center of ['spa', 'lodge']) {
        await api.database.query(
          sql`update bookings set doctor_name = ${`Dr. ${now}`} where center_id = ${center} and id = 'g0'`,
        )
        const at = new Date(center === 'spa' ? now : now + 30 * HOUR).toISOString()
        await api.database.query(sql`
          update change_commits c set committed_at = ${at}
          where c.center_id = ${center}
            and c.revision = (select max(revision) from change_commits where center_id = ${center})`)
      }
    }
    const SQL = ['sources', 'set', '--center', 'spa', 'sql']
    async function begin(...more: string[]) {
      const lodgers = [
        lodge(),
        customer('g0', { centerId: 'lodge' }),
        booking('g0', { centerId: 'lodge', customerId: 'g0' }),
      ]
      const world = await startSourcesWorld(lodgers)
      // What was there before was committed before.
      await world.api.database.query(sql`update change_commits set committed_at = '2026-11-01T00:00:00Z'`)
      expect((await world.run([...SQL, ...more])).code).toBe(0)
      const source = async () => (await world.api.get('/v1/sources')).body.data[0] as Record<string, unknown>
      const header = async () => String((await world.api.get('/v1/me')).headers['data-received'])
      return { world, source, header }
    }

    it('has the commits that touched a kind as its deliveries, and is late without one', async () => {
      const { world, source, header } = await begin('--kinds', 'bookings,orders', '--schedule', 'hourly')
      world.now = NOW + HOUR / 2
      await write(world)
      const received = new Date(world.now).toISOString()
      const before = '2026-11-01T00:00:00.000Z'
      expect(await source()).toMatchObject({
        name: 'sql',
        kinds: [
          { kind: 'bookings', receivedAt: received, expected: true },
          { kind: 'orders', receivedAt: before, expected: true },
        ],
        schedule: 'hourly',
        late: false,
        deliveries: [],
      })
      // Only orders are missing, since the schedule was set.
      world.now = NOW + 1.2 * HOUR
      expect(await source()).toMatchObject({ late: true, problems: [{ cause: 'missing' }] })
      expect((await world.run([...SQL, '--kinds', 'bookings'])).code).toBe(0)
      expect(await source()).toMatchObject({ late: false, problems: [] })
      expect(await header()).toMatch(
        new RegExp(`^bookings=@${Date.parse(received) / 1000};every=3600;due=@\\d+, customers=@`),
      )
      world.now = NOW + 2 * HOUR
      expect(await source()).toMatchObject({ late: true, problems: [{ cause: 'missing' }] })
      expect(await header()).toMatch(/^bookings=@\d+;every=3600;due=@\d+;late, /)
      await write(world)
      expect(await source()).toMatchObject({ late: false, problems: [] })
      expect(await header()).toContain(`bookings=@${world.now / 1000};every=3600;`)
    })

    it('has no schedule unless the center sets one, and is then never late', async () => {
      const { world, source, header } = await begin()
      await write(world)
      world.now = NOW + 48 * HOUR
      expect(await source()).toMatchObject({ schedule: null, late: false, problems: [] })
      expect(await header()).toContain(`bookings=@${NOW / 1000}, customers=@${NOW / 1000}, `)
    })

    it('is found behind many commits of other kinds', async () => {
      const { world, source } = await begin('--kinds', 'sessions', '--schedule', 'hourly')
      await world.api.database.query(sql`update sessions set name = 'New' where center_id = 'spa'`)
      for (let at = 0; at < 520; at += 1) {
        await world.api.database.query(sql`
          update bookings set doctor_name = ${`${at}`} where center_id = 'spa' and id = 'g0'`)
      }
      await world.api.database.query(sql`
        update change_commits set committed_at = ${new Date(NOW).toISOString()} where committed_at > '2026-11-02'`)
      expect(await source()).toMatchObject({
        late: false,
        kinds: [{ kind: 'sessions', receivedAt: new Date(NOW).toISOString() }],
      })
    })
  })
})
