/** What a word tells of, strongest first. */
export type TroubleKind =
  | "fatal"
  | "test"
  | "failure"
  | "error"
  | "exception"
  | "absence"
  | "refusal"
  | "doubt"
  | "warning";

/**
 * Words of one language. `~` stands for further letters, `…` for a few words between; a word without them counts as a
 * whole word where its script has words.
 */
export interface LanguageWords {
  /** Has a dotted and a dotless i, which change case each for itself. @default false */
  readonly dotted?: boolean;
  readonly words: Readonly<Partial<Record<TroubleKind, string>>>;
}

/** Words of trouble in the languages that tools speak beside English. */
export const LANGUAGES: Readonly<Record<string, LanguageWords>> = {
  chinese: {
    words: {
      fatal: "致命|崩溃|崩潰|当机|當機|宕机|内存不足|記憶體不足|内存溢出|死锁|死鎖|段错误|核心已转储",
      test: "未通过|未通過|不通过|不通過|没有通过|沒有通過|不合格",
      failure: "失败|失敗|未成功|不成功|未能|没能|沒能",
      error: "错误|錯誤|出错|出錯|报错|報錯|故障",
      exception: "异常|異常|例外",
      absence: "找不到|未找到",
      refusal:
        "无法|無法|不存在|未定义|未定義|拒绝|拒絕|超时|超時|逾時|中断|中斷|中止|终止|終止|无效|無效|非法|缺少|缺失|不支持|不支援|不匹配|权限不足|權限不足|没有权限|沒有權限|空间不足|空間不足|未授权|未授權|禁止|溢出|泄漏|洩漏|丢失|遺失|损坏|損壞|违反|違反|冲突|衝突|断开|斷開|已过期|已過期|权限不够|許可權不足|没有那个文件|沒有此一檔案|没有该文件",
      doubt: "不能|未知|不足|不正确|不正確|不可用|不允许|不允許",
      warning: "警告|告警",
    },
  },
  japanese: {
    words: {
      fatal: "致命的|クラッシュ|強制終了|異常終了|メモリ不足|メモリが不足|デッドロック",
      test: "不合格",
      error: "エラー|不具合|障害",
      absence: "見つかりません|見つからない|見つかりませんでした",
      refusal:
        "できません|できなかった|存在しません|存在しない|拒否|タイムアウト|無効|不正|中断|破損|権限がありません|開けません|読み込めません|一致しません|期限切れ|応答がありません|応答なし|対応していません|許可されていません|ディレクトリはありません",
      doubt: "できない|不明|未定義|ありません",
    },
  },
  korean: {
    words: {
      fatal: "치명적|비정상 종료|강제 종료|메모리 부족|메모리가 부족|교착 상태",
      test: "불합격|통과하지 못",
      failure: "실패",
      error: "오류|에러|장애",
      exception: "예외",
      absence: "찾을 수 없",
      refusal:
        "수 없습니다|수 없음|수 없었|존재하지 않|거부|시간 초과|시간이 초과|시간초과|타임아웃|잘못된|유효하지 않|중단|충돌|손상|권한이 없|지원되지 않|지원하지 않|일치하지 않|만료|디렉터리가 없|파일이 없",
      doubt: "알 수 없는|못했습니다|부족|정의되지 않",
      warning: "경고",
    },
  },
  german: {
    words: {
      fatal: "schwerwiegend~|abgestürzt|absturz|speicherzugriffsfehler|kein speicherplatz",
      test: "nicht bestanden",
      failure:
        "fehlgeschlagen~|schlug~ fehl|schlägt fehl|gescheitert|scheiterte~|nicht erfolgreich|fehlschlag~|schlug … fehl",
      error: "~fehler|~fehlern|~fehlers|~fehlermeldung~|fehlerhaft~",
      exception: "ausnahme~|ausnahmefehler",
      absence: "nicht gefunden",
      refusal:
        "verweigert|abgelehnt|konnte … nicht|konnte nicht|konnten … nicht|konnten nicht|kann … nicht|kann nicht|nicht möglich|existiert nicht|existieren nicht|ungültig~|ungueltig~|zeitüberschreitung|zeitlimit~|abgebrochen|abbruch|nicht vorhanden|nicht verfügbar|nicht unterstützt|nicht zulässig|nicht erlaubt|nicht erreichbar|unerwartet~|beschädigt~|abgelaufen|keine berechtigung|keine verbindung|keine antwort|kein zugriff",
      doubt: "fehlt|fehlen|fehlend~|unbekannt~",
      warning: "warnung|warnungen",
    },
  },
  french: {
    words: {
      fatal: "erreur fatale|plantage|a planté|mémoire insuffisante|erreur de segmentation",
      test: "non réussi~|n'a pas réussi",
      failure: "échec|échecs|échoué~|échoue|échouent",
      error: "erreur|erreurs|défaillance~",
      exception: "exception non gérée|exception levée",
      absence: "non trouvé~|n'a pas été trouvé~",
      refusal:
        "impossible de|impossible d'|impossible à|introuvable~|refusé~|n'a pas pu|n'ont pas pu|ne peut pas|n'existe pas|non valide~|invalide|invalides|délai dépassé|délai expiré|délai d'attente|interrompu~|abandonné~|non autorisé~|interdit~|corrompu~|inattendu~|dépassement~|indisponible~|non pris en charge|inexistant~|aucun fichier ou dossier|connexion perdue",
      doubt: "manquant~|inconnu~",
      warning: "avertissement~",
    },
  },
  spanish: {
    words: {
      fatal: "error fatal|error grave|memoria insuficiente|violación de segmento",
      test: "no superad~|no aprobad~|no pasó|no pasaron",
      failure: "falló|fallo|fallos|fallaron|fallid~|ha fallado|han fallado|fracasó|fracaso~|sin éxito",
      error: "errores|error de|error al|error en",
      exception: "excepción|excepcion|excepciones",
      absence: "no se encontro|no se encontró|no se encontraron|no se encuentra|no encontrad~",
      refusal:
        "no se pudo|no se pudieron|no se puede|no se ha podido|no existe|no existen|no es posible|imposible|denegad~|rechazad~|tiempo de espera|tiempo agotado|inválid~|no válid~|abortad~|interrumpid~|dañad~|no permitid~|no soportad~|no admitid~|no disponible|inesperad~|caducad~|inexistente~|no hay espacio|perdió",
      doubt: "desconocid~|no definid~|faltan|falta",
      warning: "advertencia~",
    },
  },
  portuguese: {
    words: {
      fatal: "erro fatal|erro grave|memória insuficiente|falha de segmentação",
      test: "não passou|não passaram|reprovad~",
      failure: "falha|falhas|falhou|falharam|sem sucesso|malsucedid~",
      error: "erro|erros",
      exception: "exceção|exceções|excepção",
      absence: "não encontrad~|não foi encontrad~",
      refusal:
        "não foi possível|nao foi possivel|não é possível|não pôde|não pode|não conseguiu|não existe|não existem|negad~|recusad~|tempo esgotado|tempo limite|inválid~|abortad~|interrompid~|corrompid~|não permitid~|não suportad~|não disponível|indisponível|inesperad~|expirad~|impossível|inexistente~",
      doubt: "desconhecid~|não definid~|faltando",
      warning: "aviso|avisos",
    },
  },
  italian: {
    words: {
      fatal: "errore fatale|errore irreversibile|errore di segmentazione|arresto anomalo|memoria insufficiente",
      test: "non superat~",
      failure: "fallit~|fallimento|non riuscit~|è fallit~",
      error: "errore|errori",
      exception: "eccezione|eccezioni",
      absence: "non trovat~|non è stato trovat~",
      refusal:
        "impossibile|non è stato possibile|non è possibile|non può|negato|negata|rifiutat~|non valid~|tempo scaduto|scadut~|interrott~|non esiste|non esistono|danneggiat~|non consentit~|non supportat~|non disponibile|imprevist~|annullat~|non esistente|inesistente",
      doubt: "sconosciut~|mancante|mancanti|non definit~",
      warning: "avviso|avvisi|avvertimento|avvertenza",
    },
  },
  russian: {
    words: {
      fatal: "фатальн~|критическ~ ошибк~|аварийн~|недостаточно памяти|нехватка памяти|ошибка сегментирования",
      test: "не пройден~|не прошел|не прошёл|не прошла|не прошли",
      failure: "сбой|сбоя|сбои|не удалось|не удается|не удаётся|неудач~|провал~|неуспешн~|не выполнен~",
      error: "ошибка|ошибки|ошибку|ошибке|ошибкой|ошибок|ошибками",
      exception: "исключение|исключения",
      absence: "не найден~",
      refusal:
        "отказано|отказ|невозможно|не может|не могу|не существует|недопустим~|неверн~|превышен~|тайм-аут~|таймаут~|прерван~|поврежден~|повреждён~|отклонен~|отклонён~|запрещен~|запрещён~|недоступн~|не поддерживается|не определен~|не определён~|некорректн~|нет такого|нет доступа|истекло|истёк|истек",
      doubt: "неизвестн~|нельзя|отсутствует|отсутствуют",
      warning: "предупреждение|предупреждения",
    },
  },
  polish: {
    words: {
      fatal: "błąd krytyczny|krytyczny błąd|awaria|awarii|naruszenie ochrony pamięci|brak pamięci",
      test: "niezaliczon~|nie zaliczon~|nie przeszedł|nie przeszła|nie przeszły",
      failure: "niepowodzenie~|niepowodzeniem|nie powiodło się|nie powiodła się|nie powiódł się|nie udało się|nieudan~",
      error: "błąd|błędu|błędem|błędy|błędów|błędzie|błędn~",
      exception: "wyjątek|wyjątku|wyjątki",
      absence: "nie znaleziono|nie znaleziony",
      refusal:
        "nie można|nie może|nie istnieje|odmowa|odmówiono|nieprawidłow~|niepoprawn~|przekroczono|przekroczony|przerwan~|uszkodzon~|odrzucon~|niedozwolon~|niedostępn~|nieobsługiwan~|nieoczekiwan~|brak dostępu|brak uprawnień|nie ma takiego|wygasł~",
      doubt: "nieznan~|brakuje",
      warning: "ostrzeżenie|ostrzeżenia",
    },
  },
  turkish: {
    dotted: true,
    words: {
      fatal: "ölümcül~|çöktü|bellek yetersiz|yetersiz bellek|kritik hata",
      test: "geçemedi|testi geçmedi",
      failure: "başarısız~|basarisiz~",
      error: "hata|hatası|hatalar|hataları|hatalı|arıza~",
      exception: "istisna|istisnası",
      absence: "bulunamadı|bulunamadi",
      refusal:
        "~amadı|~emedi|~amadi|~amıyor|~emiyor|reddedildi|zaman aşımı~|geçersiz~|mevcut değil|mümkün değil|izin verilmedi|engellendi|iptal edildi|bozuk|desteklenmiyor|bulunmuyor|erişim yok|yetki yok|böyle bir dosya",
      doubt: "bilinmeyen|eksik|tanımsız",
      warning: "uyarı",
    },
  },
};
