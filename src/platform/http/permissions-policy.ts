/** What no page of ours uses, and what injected code or a frame therefore may not use either. Copying to the clipboard stays allowed. */
const unused = [
  'accelerometer',
  'autoplay',
  'camera',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'geolocation',
  'gyroscope',
  'hid',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'picture-in-picture',
  'screen-wake-lock',
  'serial',
  'usb',
  'xr-spatial-tracking',
] as const;

/** The Permissions-Policy header of every page. */
export const permissionsPolicy: string = unused.map((feature) => `${feature}=()`).join(', ');
