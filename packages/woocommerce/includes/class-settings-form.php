<?php
/**
 * The tab "Settings" of the page WooCommerce > Tributary.
 *
 * @package Tributary\WooCommerce
 */

namespace Tributary\WooCommerce;

defined( 'ABSPATH' ) || exit;

/**
 * The form that `Admin_Page::settings()` saves.
 */
final class Settings_Form {
	public static function render(): void {
		$discount = Settings::code_discount();
		$types    = array(
			''           => __( 'Do not create coupons', 'tributary-for-woocommerce' ),
			'percent'    => __( 'Percentage discount', 'tributary-for-woocommerce' ),
			'fixed_cart' => __( 'Fixed cart discount', 'tributary-for-woocommerce' ),
		);
		Admin_Page::open_form( 'settings' );
		?>
		<table class="form-table" role="presentation">
			<tr>
				<th scope="row"><label for="tributary-discount"><?php esc_html_e( 'Coupons for discount codes of creators', 'tributary-for-woocommerce' ); ?></label></th>
				<td>
					<select id="tributary-discount" name="code_discount_type">
						<?php foreach ( $types as $type => $title ) : ?>
							<option value="<?php echo esc_attr( $type ); ?>" <?php selected( $type, $discount['type'] ?? '' ); ?>><?php echo esc_html( $title ); ?></option>
						<?php endforeach; ?>
					</select>
					<input class="small-text" type="text" inputmode="decimal" name="code_discount_amount" value="<?php echo esc_attr( $discount['amount'] ?? '10' ); ?>" aria-label="<?php esc_attr_e( 'Discount', 'tributary-for-woocommerce' ); ?>">
					<p class="description"><?php esc_html_e( 'Creates a coupon with this discount for each discount code of a creator that has none. It is unpublished while its code is paused or after it has ended.', 'tributary-for-woocommerce' ); ?></p>
				</td>
			</tr>
			<tr>
				<th scope="row"><?php esc_html_e( 'Orders', 'tributary-for-woocommerce' ); ?></th>
				<td>
					<label><input type="checkbox" name="every_order" value="1" <?php checked( Settings::reports_every_order() ); ?>> <?php esc_html_e( 'Report orders without a click and without the coupon of a creator, too', 'tributary-for-woocommerce' ); ?></label>
					<p class="description"><?php esc_html_e( 'For programs that count returning customers.', 'tributary-for-woocommerce' ); ?></p>
				</td>
			</tr>
			<tr>
				<th scope="row"><?php esc_html_e( 'Consent', 'tributary-for-woocommerce' ); ?></th>
				<td><?php self::render_consent(); ?></td>
			</tr>
		</table>
		<?php
		submit_button();
		echo '</form><h2>' . esc_html__( 'Connection', 'tributary-for-woocommerce' ) . '</h2>';
		$connection = Settings::connection();
		/* translators: 1: name of the store, 2: URL of the service */
		echo '<p>' . esc_html( sprintf( __( 'Connected to the store %1$s at %2$s.', 'tributary-for-woocommerce' ), $connection['store_name'], $connection['url'] ) ) . '</p>';
		Admin_Page::button( 'disconnect', __( 'Disconnect', 'tributary-for-woocommerce' ), 'secondary' );
	}

	private static function render_consent(): void {
		if ( function_exists( 'wp_has_consent' ) ) {
			esc_html_e( 'The WP Consent API decides: clicks are stored only with consent to the category "marketing".', 'tributary-for-woocommerce' );
			return;
		}
		printf( '<label><input type="checkbox" name="consent_required" value="1" %s> %s</label>', checked( 'required', Settings::consent(), false ), esc_html__( 'Store clicks only after your consent manager calls ServiceCapture.grantConsent() on each page', 'tributary-for-woocommerce' ) );
	}
}
