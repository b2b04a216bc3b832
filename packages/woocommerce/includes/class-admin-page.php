<?php
/**
 * The page WooCommerce > Tributary.
 *
 * @package Tributary\WooCommerce
 */

namespace Tributary\WooCommerce;

defined( 'ABSPATH' ) || exit;

/**
 * Connects the shop, shows the integration checks and the reports that need attention, and runs a test order.
 */
final class Admin_Page {
	private const SLUG       = 'tributary';
	private const CAPABILITY = 'manage_woocommerce';
	private const ROWS       = 20;

	public static function register(): void {
		add_action( 'admin_menu', array( self::class, 'add_page' ), 60 );
		add_filter( 'plugin_action_links_' . plugin_basename( FILE ), array( self::class, 'add_link' ) );
		foreach ( array( 'connect', 'disconnect', 'consent', 'test_order', 'send_now' ) as $action ) {
			add_action( "admin_post_tributary_$action", array( self::class, $action ) );
		}
	}

	public static function add_page(): void {
		add_submenu_page( 'woocommerce', 'Tributary', 'Tributary', self::CAPABILITY, self::SLUG, array( self::class, 'render' ) );
	}

	/**
	 * Adds "Settings" to the plugin's row.
	 *
	 * @param list<string> $links
	 * @return list<string>
	 */
	public static function add_link( array $links ): array {
		return array( sprintf( '<a href="%s">%s</a>', esc_url( self::url() ), esc_html__( 'Settings', 'tributary-for-woocommerce' ) ), ...$links );
	}

	public static function connect(): void {
		self::check( 'connect' );
		// phpcs:disable WordPress.Security.NonceVerification.Missing -- check() verifies the nonce.
		$url   = sanitize_text_field( wp_unslash( $_POST['url'] ?? '' ) );
		$error = Service::connect( $url, trim( sanitize_text_field( wp_unslash( $_POST['api_key'] ?? '' ) ) ) );
		// phpcs:enable
		if ( null === $error ) {
			Report_Sender::send_waiting();
		}
		self::back( $error ? $error->get_error_message() : __( 'The shop is connected. Run a test order next.', 'tributary-for-woocommerce' ), null === $error );
	}

	public static function disconnect(): void {
		self::check( 'disconnect' );
		Service::disconnect();
		self::back( __( 'The shop is disconnected. Reports wait until it is connected again.', 'tributary-for-woocommerce' ), true );
	}

	public static function consent(): void {
		self::check( 'consent' );
		// phpcs:ignore WordPress.Security.NonceVerification.Missing -- check() verifies the nonce.
		Settings::set_consent( isset( $_POST['required'] ) ? 'required' : 'auto' );
		self::back( __( 'Settings saved.', 'tributary-for-woocommerce' ), true );
	}

	public static function test_order(): void {
		self::check( 'test_order' );
		$reason = Checks::run_test_order();
		$is_ok  = 'test_verified' === $reason;
		/* translators: %s: reason of the response */
		$message = $is_ok ? __( 'The test order was verified. Tracking is on.', 'tributary-for-woocommerce' ) : sprintf( __( 'The test order was not verified: %s', 'tributary-for-woocommerce' ), is_wp_error( $reason ) ? $reason->get_error_message() : $reason );
		self::back( $message, $is_ok );
	}

	public static function send_now(): void {
		self::check( 'send_now' );
		foreach ( Report_Store::with_status( Report_Store::WAITING, self::ROWS ) as $row ) {
			Report_Sender::send( (int) $row->id );
		}
		self::back( __( 'Waiting reports were sent.', 'tributary-for-woocommerce' ), true );
	}

	public static function render(): void {
		echo '<div class="wrap"><h1>Tributary</h1>';
		self::render_notice();
		if ( 'USD' !== get_woocommerce_currency() ) {
			self::notice( 'warning', __( 'Only orders in US dollars earn commissions. This shop uses another currency.', 'tributary-for-woocommerce' ) );
		}
		if ( Settings::is_connected() ) {
			self::render_connected();
		} else {
			self::render_connect();
		}
		echo '</div>';
	}

	private static function render_connect(): void {
		?>
		<p><?php esc_html_e( 'Create an API key for your store in the Tributary dashboard, under Settings > API keys, with the scopes store:read and integration:write.', 'tributary-for-woocommerce' ); ?></p>
		<?php self::open_form( 'connect' ); ?>
		<table class="form-table" role="presentation">
			<tr>
				<th scope="row"><label for="tributary-url"><?php esc_html_e( 'Service URL', 'tributary-for-woocommerce' ); ?></label></th>
				<td><input class="regular-text" type="url" id="tributary-url" name="url" required placeholder="https://partners.example.com"></td>
			</tr>
			<tr>
				<th scope="row"><label for="tributary-key"><?php esc_html_e( 'API key', 'tributary-for-woocommerce' ); ?></label></th>
				<td><input class="regular-text" type="password" id="tributary-key" name="api_key" required autocomplete="off" placeholder="trb_…"></td>
			</tr>
		</table>
		<?php submit_button( __( 'Connect', 'tributary-for-woocommerce' ) ); ?>
		</form>
		<?php
	}

	private static function render_connected(): void {
		$connection = Settings::connection();
		/* translators: 1: name of the store, 2: URL of the service */
		echo '<p>' . esc_html( sprintf( __( 'Connected to the store %1$s at %2$s.', 'tributary-for-woocommerce' ), $connection['store_name'], $connection['url'] ) ) . '</p>';
		self::render_checks();
		self::render_reports( __( 'Rejected reports', 'tributary-for-woocommerce' ), Report_Store::REJECTED );
		self::render_reports( __( 'Waiting reports', 'tributary-for-woocommerce' ), Report_Store::WAITING );
		self::render_consent();
		echo '<h2>' . esc_html__( 'Connection', 'tributary-for-woocommerce' ) . '</h2>';
		self::button( 'disconnect', __( 'Disconnect', 'tributary-for-woocommerce' ), 'secondary' );
	}

	private static function render_checks(): void {
		echo '<h2>' . esc_html__( 'Integration checks', 'tributary-for-woocommerce' ) . '</h2>';
		$checks = Checks::integration();
		if ( is_wp_error( $checks ) ) {
			self::notice( 'error', $checks->get_error_message() );
			return;
		}
		echo '<table class="widefat striped"><thead><tr><th>' . esc_html__( 'Check', 'tributary-for-woocommerce' ) . '</th><th>' . esc_html__( 'State', 'tributary-for-woocommerce' ) . '</th><th>' . esc_html__( 'Evidence', 'tributary-for-woocommerce' ) . '</th></tr></thead><tbody>';
		foreach ( $checks as $check ) {
			$state = $check['is_passed'] ? '✓ ' . __( 'Passed', 'tributary-for-woocommerce' ) : '– ' . __( 'Not yet', 'tributary-for-woocommerce' );
			printf( '<tr><td>%s</td><td>%s</td><td>%s</td></tr>', esc_html( $check['title'] ), esc_html( $state ), esc_html( $check['evidence'] ) );
		}
		echo '</tbody></table>';
		self::button( 'test_order', __( 'Run test order', 'tributary-for-woocommerce' ), 'primary' );
	}

	private static function render_reports( string $title, string $status ): void {
		$count = Report_Store::count( $status );
		echo '<h2>' . esc_html( "$title ($count)" ) . '</h2>';
		if ( 0 === $count ) {
			echo '<p>' . esc_html__( 'None.', 'tributary-for-woocommerce' ) . '</p>';
			return;
		}
		echo '<table class="widefat striped"><thead><tr><th>' . esc_html__( 'Order', 'tributary-for-woocommerce' ) . '</th><th>' . esc_html__( 'Report', 'tributary-for-woocommerce' ) . '</th><th>' . esc_html__( 'Attempts', 'tributary-for-woocommerce' ) . '</th><th>' . esc_html__( 'Last response', 'tributary-for-woocommerce' ) . '</th></tr></thead><tbody>';
		foreach ( Report_Store::with_status( $status, self::ROWS ) as $row ) {
			$order = wc_get_order( $row->order_id );
			$link  = $order ? sprintf( '<a href="%s">#%s</a>', esc_url( $order->get_edit_order_url() ), esc_html( $order->get_order_number() ) ) : esc_html( '#' . $row->order_id );
			// $link is escaped above.
			printf( '<tr><td>%s</td><td>%s</td><td>%s</td><td>%s</td></tr>', $link, esc_html( Order_Panel::operation_name( $row->operation ) ), esc_html( $row->attempts ), esc_html( trim( "{$row->reason} {$row->message}" ) ) ); // phpcs:ignore WordPress.Security.EscapeOutput.OutputNotEscaped
		}
		echo '</tbody></table>';
		if ( Report_Store::WAITING === $status ) {
			self::button( 'send_now', __( 'Send now', 'tributary-for-woocommerce' ), 'secondary' );
		}
	}

	private static function render_consent(): void {
		echo '<h2>' . esc_html__( 'Consent', 'tributary-for-woocommerce' ) . '</h2>';
		if ( function_exists( 'wp_has_consent' ) ) {
			echo '<p>' . esc_html__( 'The WP Consent API decides: clicks are stored only with consent to the category "marketing".', 'tributary-for-woocommerce' ) . '</p>';
			return;
		}
		self::open_form( 'consent' );
		printf( '<p><label><input type="checkbox" name="required" %s> %s</label></p>', checked( 'required', Settings::consent(), false ), esc_html__( 'Store clicks only after your consent manager calls ServiceCapture.grantConsent() on each page', 'tributary-for-woocommerce' ) );
		submit_button( __( 'Save', 'tributary-for-woocommerce' ), 'secondary' );
		echo '</form>';
	}

	private static function button( string $action, string $label, string $kind ): void {
		self::open_form( $action );
		submit_button( $label, $kind );
		echo '</form>';
	}

	private static function open_form( string $action ): void {
		printf( '<form method="post" action="%s"><input type="hidden" name="action" value="%s">', esc_url( admin_url( 'admin-post.php' ) ), esc_attr( "tributary_$action" ) );
		wp_nonce_field( "tributary_$action" );
	}

	private static function check( string $action ): void {
		if ( ! current_user_can( self::CAPABILITY ) ) {
			wp_die( esc_html__( 'You are not allowed to change these settings.', 'tributary-for-woocommerce' ), 403 );
		}
		check_admin_referer( "tributary_$action" );
	}

	/** The message is shown once, to this user only. */
	private static function back( string $message, bool $is_ok ): never {
		set_transient( 'tributary_notice_' . get_current_user_id(), array( $is_ok ? 'success' : 'error', $message ), MINUTE_IN_SECONDS );
		wp_safe_redirect( self::url() );
		exit;
	}

	private static function render_notice(): void {
		$name   = 'tributary_notice_' . get_current_user_id();
		$notice = get_transient( $name );
		if ( is_array( $notice ) ) {
			delete_transient( $name );
			self::notice( ...$notice );
		}
	}

	private static function notice( string $kind, string $message ): void {
		printf( '<div class="notice notice-%s"><p>%s</p></div>', esc_attr( $kind ), esc_html( $message ) );
	}

	private static function url(): string {
		return admin_url( 'admin.php?page=' . self::SLUG );
	}
}
