-- Answers what is not HTTP in the format of every other error. HAProxy's own 400 for it is HTML, which no setting changes.
core.register_service('not_http', 'tcp', function(applet)
  local id = applet.f:uuid()
  local body = '{"error":{"code":"INVALID_PARAMETER","message":"The request is not well-formed HTTP.","requestId":"' .. id .. '","docs":"/docs/guide/errors#invalid_parameter"}}'
  applet:send('HTTP/1.1 400 Bad Request\r\n'
    .. 'content-type: application/json; charset=utf-8\r\n'
    .. 'content-length: ' .. #body .. '\r\n'
    .. 'cache-control: no-store\r\n'
    .. 'x-request-id: ' .. id .. '\r\n'
    .. 'connection: close\r\n\r\n'
    .. body)
end)
