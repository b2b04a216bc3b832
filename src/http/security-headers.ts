/** Browser features that our pages do not use, denied to injected code and frames as well. Writing to the clipboard stays allowed. */
const unusedFeatures = [
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
export const permissionsPolicy: string = unusedFeatures.map((feature) => `${feature}=()`).join(', ');

/** For responses that are not pages: a browser that opens one may load and run nothing. Pages have their own policies. */
export const responsePolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
