/** The path of the page that a one-time link opens. Behind `#`, browsers send nothing to a server. */
export const DEVICE_PAGE = '/console#/device?link='
