/** `GET /administration/…`: for keys with the scope `administration`. What changes something is an action (`act`). */
import type { CallOptions, Connection } from './connection.ts'
import type {
  CenterSettings,
  CenterSources,
  DevicePage,
  KeyPage,
  LinkPage,
  Queries,
  ReadPage,
  ReportList,
  WebhookList,
} from './openapi.ts'

export class Administration {
  readonly #connection: Connection
  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** One page of the center's keys, never their secrets, and what your key may grant. */
  async keys(query: Queries['listKeys'] = {}, options?: CallOptions): Promise<KeyPage> {
    return (await this.#connection.get<KeyPage>('/administration/keys', query, options)).body
  }

  /** One page of the center's links, never their URLs. */
  async links(query: Queries['listLinks'] = {}, options?: CallOptions): Promise<LinkPage> {
    return (await this.#connection.get<LinkPage>('/administration/links', query, options)).body
  }

  /** One page of the links that hand keys to devices, never the links themselves. */
  async devices(query: Queries['listDevices'] = {}, options?: CallOptions): Promise<DevicePage> {
    return (await this.#connection.get<DevicePage>('/administration/devices', query, options)).body
  }

  /** The settings of the center that actions change. */
  async settings(options?: CallOptions): Promise<CenterSettings> {
    return (await this.#connection.get<CenterSettings>('/administration/settings', {}, options)).body
  }

  /** The center's sources, the addresses to which their problems are sent, and the last imports. */
  async sources(options?: CallOptions): Promise<CenterSources> {
    return (await this.#connection.get<CenterSources>('/administration/sources', {}, options)).body
  }

  /** The reports that are sent by themselves, with what became of the last ones. */
  async reports(options?: CallOptions): Promise<ReportList['data']> {
    return (await this.#connection.get<ReportList>('/administration/reports', {}, options)).body.data
  }

  /** The center's webhooks with their last deliveries, never their secrets. */
  async webhooks(options?: CallOptions): Promise<WebhookList['data']> {
    return (await this.#connection.get<WebhookList>('/administration/webhooks', {}, options)).body.data
  }

  /** One page of who read what, newest first. `next` is the `after` of the next page. */
  async reads(query: Queries['listReads'], options?: CallOptions): Promise<ReadPage> {
    return (await this.#connection.get<ReadPage>('/administration/reads', query, options)).body
  }
}
